package dev.stowage.cli.output;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A plan as a header for C99 and C++: the bytes and the alignment of the arena, and the offset of
 * each tensor with its name. All names start with the name of the input.
 */
final class PlanHeader {

  private static final long MAX_UINT32 = 0xFFFF_FFFFL;

  private final PlanInput.Tensors input;
  private final Plan.Offsets plan;
  private final String prefix;
  private final boolean isWide;
  private final Writer out;

  private PlanHeader(PlanInput.Tensors input, Plan.Offsets plan, String prefix, Writer out) {
    this.input = input;
    this.plan = plan;
    this.prefix = prefix;
    this.out = out;
    isWide = plan.totalBytes() > MAX_UINT32;
  }

  /**
   * Writes a header.
   *
   * @throws IOException if the text cannot be written, or the alignment of the arena is 2^63 or
   *     more
   */
  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    String file = String.valueOf(Path.of(input.file().path()).getFileName());
    new PlanHeader(input, plan, prefix(file), out).write(file);
  }

  private void write(String file) throws IOException {
    out.write(
        Text.of(
            """
            /* The tensor arena of %s, planned by Stowage (%s). C99 and C++. */
            #ifndef %3$s_ARENA_H
            #define %3$s_ARENA_H

            #include <stdint.h>

            /* The arena: its bytes, and a multiple of its address. */
            """,
            comment(file), plan.name(), prefix));
    define("ARENA_BYTES", number(plan.totalBytes()));
    define("ARENA_ALIGNMENT", number(alignment(input.problem())));
    if (input.micro().isPresent()) {
      writeArena(input.micro().get());
    }
    define("TENSOR_COUNT", Integer.toString(input.problem().records().size()));
    if (!input.problem().records().isEmpty()) { // C has no empty arrays
      writeOffsets();
    }
    out.write(Text.of("\n#endif /* %s_ARENA_H */\n", prefix));
  }

  private void define(String name, String value) throws IOException {
    out.write(Text.of("#define %s_%s %s\n", prefix, name, value));
  }

  /** Writes the bytes of the whole arena of TensorFlow Lite Micro. The plan is only its head. */
  private void writeArena(MicroMemory memory) throws IOException {
    out.write(
        "\n/* The arena of TensorFlow Lite Micro with its tail, an estimate: with this plan, and for the model as it is. */\n");
    if (memory.size(plan.assignment()).isPresent()) {
      define(
          "TENSOR_ARENA_SIZE",
          number(memory.size(plan.assignment()).get().withHead(plan.totalBytes()).arenaBytes()));
    }
    define("TENSOR_ARENA_SIZE_AS_IT_IS", number(memory.fileSize().arenaBytes()));
    out.write("\n");
  }

  private void writeOffsets() throws IOException {
    int count = input.problem().records().size();
    out.write(
        Text.of(
            """

            /* The offset of each tensor in the arena, in bytes. */
            static const %s %2$s_OFFSETS[%2$s_TENSOR_COUNT] = {
            """,
            isWide ? "uint64_t" : "uint32_t", prefix));
    for (int i = 0; i < count; i++) {
      out.write(
          Text.of(
              "    %s%s /* %s: %s, %d bytes */\n",
              number(plan.assignment().offset(i)),
              i + 1 < count ? "," : "",
              comment(input.labels().get(i).id()),
              comment(input.labels().get(i).name()),
              input.problem().records().get(i).bytes()));
    }
    // Without attributes, which C99 lacks.
    out.write(
        Text.of(
            """
            };

            /* Mentions the constants, so that compilers do not warn of unused ones. */
            static inline void %1$s_mention_constants(void) {
                (void)%1$s_OFFSETS;
            }
            """,
            prefix));
  }

  /** {@return a number of bytes as a constant of C} */
  private String number(long bytes) {
    return bytes + (isWide ? "ull" : "u");
  }

  /** {@return the alignment of the address of the arena at which all offsets are aligned} */
  private static long alignment(PlanProblem problem) throws IOException {
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

  /** {@return a file name without its extension, as the start of names in C} */
  private static String prefix(String file) {
    int dot = file.lastIndexOf('.');
    String words =
        (dot > 0 ? file.substring(0, dot) : file)
            .toUpperCase(Locale.ROOT)
            .replaceAll("[^A-Z0-9]+", "_");
    return words.matches("[A-Z].*") ? words : "MODEL_" + words;
  }

  /** {@return a text that cannot end a comment, continue its line or contain a trigraph} */
  private static String comment(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "_")
        .replace('\\', '/')
        .replace("*/", "* /")
        .replace("/*", "/ *")
        .replaceAll("\\?(?=\\?)", "? ");
  }
}
