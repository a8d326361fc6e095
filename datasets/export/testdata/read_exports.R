# Opens an export in R's arrow and tells what it sees, as read_exports.py does.
#
# Rscript read_exports.R DIR: needs the packages arrow and jsonlite.

suppressPackageStartupMessages(library(arrow))

folder <- commandArgs(trailingOnly = TRUE)[1]
package <- jsonlite::read_json(file.path(folder, "datapackage.json"))

# Nulls, and the sum of numbers and times or the bytes of texts.
summary_of <- function(column) {
  if (is.list(column)) {
    missing <- vapply(column, is.null, TRUE)
    size <- sum(nchar(as.character(unlist(lapply(column, as.character))), type = "bytes"))
  } else {
    missing <- is.na(column)
    known <- column[!missing]
    size <- if (is.character(known) || is.factor(known)) sum(nchar(as.character(known), type = "bytes")) else sum(as.numeric(known))
  }
  list(type = class(column)[1], nulls = sum(missing), sum = size)
}

told <- function(table) {
  frame <- as.data.frame(table)
  list(rows = nrow(frame), columns = lapply(frame, summary_of))
}

result <- list()
for (resource in package$resources) {
  one <- file.path(folder, resource$path[[1]])
  table <- switch(package$format,
    parquet = open_dataset(file.path(folder, resource$name))$NewScan()$Finish()$ToTable(),
    arrow = read_ipc_file(one, as_data_frame = FALSE),
    csv = read_csv_arrow(one, as_data_frame = FALSE),
    jsonl = read_json_arrow(one, as_data_frame = FALSE)
  )
  metadata <- lapply(table$schema$fields, function(f) structure(as.list(f$metadata), names = as.character(names(f$metadata))))
  names(metadata) <- names(table)
  result[[resource$name]] <- list(R = told(table), metadata = metadata)
}
cat(jsonlite::toJSON(result, auto_unbox = TRUE, digits = I(17), na = "null"))
