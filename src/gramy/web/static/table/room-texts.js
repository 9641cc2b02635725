// The texts of the waiting room and of a shared device, which no other page needs.
import { addCatalogue } from "../text.js";

await addCatalogue((code) => `/api/text/${code}/room`);
