"""What is measured against whom; `make bench` runs it all and writes docs/benchmarks.md."""
