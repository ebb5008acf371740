package dev.stowage.cli.text;

/** A field of a CSV file as in RFC 4180. */
public final class CsvField {

  private CsvField() {}

  /**
   * {@return the field, in quotes if a reader that ignores white space around fields would change
   * it}
   */
  public static String of(String field) {
    boolean isPlain =
        field.equals(field.strip()) && field.chars().noneMatch(c -> ",\"\n\r".indexOf(c) >= 0);
    return isPlain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
