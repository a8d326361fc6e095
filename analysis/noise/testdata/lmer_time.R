# Seconds of processor time per fit of lme4::lmer on the table given, and its
# REML criterion: the median of 5 rounds of 20 fits. Called by
# BenchmarkAgainstLmer, with one thread for linear algebra.
suppressMessages(library(lme4))
d <- read.csv(commandArgs(TRUE)[1])
fit <- function() lmer(y ~ arm + (1 | day) + (1 | cell), d, REML = TRUE)
m <- fit()
round <- function() sum(system.time(for (i in 1:20) fit())[c("user.self", "sys.self")]) / 20
cat(sprintf("%.9g %.12g\n", median(replicate(5, round())), REMLcrit(m)))
