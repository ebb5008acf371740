package dev.stowage.cli.report;

import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/**
 * Rows of bytes, a share, a number of blocks and a text of any length, which is the last column.
 */
final class HolderRows {

  /** The length of a text, which is a frame with a path in most cases. */
  private static final int LONGEST_TEXT = 200;

  private static final String FORMAT = "  %19s %12s %9s %9s  %s";

  private HolderRows() {}

  static void title(Writer out, String bytes, String share, String name) throws IOException {
    line(out, String.format(Locale.ROOT, FORMAT, bytes, "", share, "blocks", name));
  }

  static void row(Writer out, long bytes, String share, long blocks, String name)
      throws IOException {
    line(
        out,
        String.format(
            Locale.ROOT,
            FORMAT,
            Numbers.grouped(bytes),
            ByteUnit.human(bytes),
            share,
            Numbers.grouped(blocks),
            text(name)));
  }

  static void line(Writer out, String line) throws IOException {
    out.write(line.stripTrailing() + "\n");
  }

  /** {@return a text from a file, on one line and not too long} */
  static String text(String text) {
    int end = Math.min(text.length(), LONGEST_TEXT);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return Printable.of(text.substring(0, end)) + (end < text.length() ? "…" : "");
  }
}
