package dev.stowage.cli.text;

import java.util.regex.Pattern;

/** A field of a CSV file as in RFC 4180. */
public final class CsvField {

  /** A minus alone is the standard input, and options such as --limit are no formulas. */
  private static final Pattern FORMULA = Pattern.compile("(?s)[=+@\t\r].+|-[^-].*");

  private CsvField() {}

  /**
   * {@return a text for people, with an apostrophe in front if a spreadsheet would compute it as a
   * formula}
   *
   * <p>Names of files come from other users. Files that are read back have the names as they are.
   */
  public static String ofSpreadsheet(String text) {
    return of(FORMULA.matcher(text).matches() ? "'" + text : text);
  }

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
