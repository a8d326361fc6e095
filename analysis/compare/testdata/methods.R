# Reference values of the methods asked for by name; Rscript methods.R prints
# them. R 4.2, base packages only.
options(digits = 12)
a <- c(100.1, 103.2, 98.7, 101.9, 99.4, 104.8, 97.3, 102.6)
b <- c(102.3, 104.9, 101.8, 102.4, 103.9, 105.5, 100.4, 106.9)
y <- log(b); x <- log(a); d <- y - x

show <- function(name, w) cat(name, w$p.value, w$estimate, w$conf.int, "\n")
show("signed rank", wilcox.test(d, conf.int = TRUE))
show("signed rank 99", wilcox.test(d, conf.int = TRUE, conf.level = .98))
show("rank sum", wilcox.test(y, x, conf.int = TRUE))
show("rank sum 5 and 7", wilcox.test(y[1:5], c(x[1:6], x[8]), conf.int = TRUE))

# Ties: exact distribution of mean ranks, by going through all arrangements.
t1 <- c(1, 2, 2, 3, 5, -1, 4); r <- rank(abs(t1)); v <- sum(r[t1 > 0])
signs <- as.matrix(expand.grid(rep(list(c(0, 1)), length(t1))))
all <- signs %*% r
cat("signed rank, ties", min(1, 2 * min(mean(all <= v), mean(all >= v))), "\n")
p <- c(1, 2, 2, 3); q <- c(2, 4, 5, 5, 6); r <- rank(c(p, q)); v <- sum(r[5:9])
all <- combn(9, 5, function(i) sum(r[i]))
cat("rank sum, ties", min(1, 2 * min(mean(all <= v), mean(all >= v))), "\n")

# Normal approximations.
i <- 1:60; long <- sin(i) + i / 300
cat("signed rank, 60", wilcox.test(long, exact = FALSE, correct = TRUE)$p.value, "\n")
cat("rank sum, 30 and 30", wilcox.test(sin(1:30) + .5, cos(1:30), exact = FALSE, correct = TRUE)$p.value, "\n")

# Permutation, all of them.
signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d))))
p <- function(shift) { s <- signs %*% (d - shift); o <- sum(d - shift); e <- 1e-12
  2 * min(mean(s <= o + e), mean(s >= o - e)) }
cat("sign flips", min(1, p(0)), "\n")
# Hartigan (1969): bounds are the k-th smallest and largest mean of any subset.
subsets <- as.matrix(expand.grid(rep(list(c(0, 1)), length(d))))[-1, ]
m <- sort((subsets %*% d) / rowSums(subsets))
cat("sign flips, 95 %", m[floor(.025 * 2^length(d))], rev(m)[floor(.025 * 2^length(d))], "\n")
all <- combn(12, 7, function(i) sum(c(x[1:5], y[c(1:6, 8)])[i])); o <- sum(y[c(1:6, 8)])
cat("relabelled", 2 * min(mean(all <= o + 1e-12), mean(all >= o - 1e-12)), "\n")
show("paired t", t.test(y, x, paired = TRUE))
show("welch", t.test(y, x))
