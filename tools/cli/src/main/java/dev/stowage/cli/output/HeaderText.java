package dev.stowage.cli.output;

import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** The text of a header for C99 and C++. Its names start with the name of an input. */
public final class HeaderText {

  private static final long MAX_UINT32 = 0xFFFF_FFFFL;

  private final Writer out;
  private final String file;
  private final String prefix;
  private final boolean isWide;
  private final List<String> arrays = new ArrayList<>();

  /**
   * Creates the text.
   *
   * @param input the input, which names all macros and arrays
   * @param maxBytes the largest number of bytes in the header
   */
  public HeaderText(InputFile input, long maxBytes, Writer out) {
    this.out = out;
    file = String.valueOf(Path.of(input.path()).getFileName());
    prefix = prefix(file);
    isWide = maxBytes > MAX_UINT32;
  }

  /** {@return the start of all names of the header, such as {@code MOBILENET_V2}} */
  public String prefix() {
    return prefix;
  }

  /**
   * Writes the lines up to the first macro.
   *
   * @param subject the subject of the header, such as {@code "The tensor arena"}
   * @param planner the strategy that made the plan
   */
  public void begin(String subject, String planner) throws IOException {
    out.write(
        Text.of(
            """
            /* %s of %s, planned by Stowage (%s). C99 and C++. */
            #ifndef %4$s_ARENA_H
            #define %4$s_ARENA_H

            #include <stdint.h>

            """,
            subject, comment(file), planner, prefix));
  }

  /** Writes the last lines. */
  public void end() throws IOException {
    if (!arrays.isEmpty()) {
      // Without attributes, which C99 lacks.
      line(
          Text.of(
              """
              /* Mentions the constants, so that compilers do not warn of unused ones. */
              static inline void %s_mention_constants(void) {
              %s
              }
              """,
              prefix,
              arrays.stream()
                  .map(name -> "    (void)" + name + ";")
                  .collect(Collectors.joining("\n"))));
    }
    line(Text.of("#endif /* %s_ARENA_H */", prefix));
  }

  /**
   * Writes a line.
   *
   * @param text the line without its end
   */
  public void line(String text) throws IOException {
    out.write(text + "\n");
  }

  /**
   * Writes a macro.
   *
   * @param name the name without the prefix
   */
  public void define(String name, String value) throws IOException {
    line(Text.of("#define %s_%s %s", prefix, name, value));
  }

  /**
   * Writes an array with a line for each element.
   *
   * @param name the name without the prefix
   * @param countName the name of the macro with the number of elements, without the prefix
   * @param count the number of elements; positive, because C has no empty arrays
   */
  public void array(
      String type,
      String name,
      String countName,
      int count,
      IntFunction<String> element,
      IntFunction<String> comment)
      throws IOException {
    arrays.add(prefix + "_" + name);
    line(Text.of("static const %s %s_%s[%s_%s] = {", type, prefix, name, prefix, countName));
    for (int i = 0; i < count; i++) {
      line(
          Text.of(
              "    %s%s /* %s */", element.apply(i), i + 1 < count ? "," : "", comment.apply(i)));
    }
    line("};");
    line("");
  }

  /** {@return the type of numbers of bytes} */
  public String bytesType() {
    return isWide ? "uint64_t" : "uint32_t";
  }

  /** {@return a number of bytes as a constant of C} */
  public String number(long bytes) {
    return bytes + (isWide ? "ull" : "u");
  }

  /**
   * {@return the alignment of the address of an arena at which all offsets are aligned}
   *
   * @throws IOException if it is 2^63 or more
   */
  public static long alignment(PlanProblem problem) throws IOException {
    BigInteger alignment = BigInteger.valueOf(problem.alignment());
    for (int i = 0; i < problem.records().size(); i++) {
      BigInteger other = BigInteger.valueOf(problem.alignmentOf(problem.records().get(i)));
      alignment = alignment.divide(alignment.gcd(other)).multiply(other);
      if (alignment.bitLength() >= Long.SIZE) {
        throw new IOException(
            Text.of(
                "the alignments up to %s have no common multiple below 2^63: alignment=%d",
                problem.records().get(i).label(i), other));
      }
    }
    return alignment.longValueExact();
  }

  /**
   * {@return a comment on a tensor: its id, its name and its bytes}
   *
   * @param bytes the bytes
   */
  public static String tensor(RecordLabel label, long bytes) {
    return Text.of("%s: %s, %d bytes", comment(label.id()), comment(label.name()), bytes);
  }

  /** {@return a text as part of a name in C: capital letters, digits and underscores} */
  public static String words(String text) {
    return text.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
  }

  /** {@return a file name without its extension, as the start of names in C} */
  private static String prefix(String file) {
    int dot = file.lastIndexOf('.');
    String words = words(dot > 0 ? file.substring(0, dot) : file);
    boolean isName = !words.isEmpty() && words.charAt(0) >= 'A' && words.charAt(0) <= 'Z';
    return isName ? words : "MODEL_" + words;
  }

  /** {@return a text that cannot end a comment, continue its line or contain a trigraph} */
  public static String comment(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "_")
        .replace('\\', '/')
        .replace("*/", "* /")
        .replace("/*", "/ *")
        .replaceAll("\\?(?=\\?)", "? ");
  }
}
