package dev.stowage.cli.report;

import dev.stowage.cli.text.CsvField;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Answers as CSV: a line for each row, after a header where the columns change. Figures that a row
 * does not have are empty.
 */
final class CsvPrinter {

  private String header = "";

  void print(Answer answer, Writer out) throws IOException {
    for (Table<?> table : answer.csv()) {
      print(table, out);
    }
  }

  private <T> void print(Table<T> table, Writer out) throws IOException {
    List<Table.Column<T>> columns = table.namedColumns();
    String names = line(columns, Table.Column::name);
    if (!names.equals(header)) {
      out.write(names);
      header = names;
    }
    for (T row : table.rows()) {
      out.write(line(columns, column -> field(column.cell().apply(row))));
    }
  }

  private static <C> String line(List<C> columns, Function<C, String> field) {
    return columns.stream().map(field).collect(Collectors.joining(",", "", "\n"));
  }

  private static String field(Figure figure) {
    return switch (figure) {
      case Figure.Bytes(long bytes) -> Long.toString(bytes);
      case Figure.Count(long number) -> Long.toString(number);
      case Figure.Share(double share) -> Double.toString(share);
      case Figure.Flag(boolean holds) -> Boolean.toString(holds);
      case Figure.Text(String text) -> CsvField.ofSpreadsheet(text);
      default -> figure.shown();
    };
  }
}
