package dev.stowage.cli.output;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.PlanProblem;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A writer of plans as headers for C99 and C++: the bytes and the alignment of the arena, and the
 * offset of each tensor with its name.
 */
final class PlanHeader {

  private static final long MAX_UINT32 = 0xFFFF_FFFFL;

  private final PlanInput.Tensors input;
  private final Plan.Offsets plan;
  private final Writer out;
  private final String prefix;
  private final boolean isWide;

  private PlanHeader(PlanInput.Tensors input, Plan.Offsets plan, Writer out) {
    this.input = input;
    this.plan = plan;
    this.out = out;
    prefix = prefix(fileName(input));
    isWide = plan.totalBytes() > MAX_UINT32;
  }

  static void write(PlanInput.Tensors input, Plan.Offsets plan, Writer out) throws IOException {
    new PlanHeader(input, plan, out).write();
  }

  private void write() throws IOException {
    PlanProblem problem = input.problem();
    int count = problem.records().size();
    line(
        String.format(
            Locale.ROOT,
            "/* The tensor arena of %s, planned by Stowage (%s). C99 and C++. */",
            comment(fileName(input)),
            plan.strategy()));
    line(String.format(Locale.ROOT, "#ifndef %s_ARENA_H", prefix));
    line(String.format(Locale.ROOT, "#define %s_ARENA_H", prefix));
    line("");
    line("#include <stdint.h>");
    line("");
    line("/* The arena: its bytes, and a multiple of its address. */");
    line(
        String.format(Locale.ROOT, "#define %s_ARENA_BYTES %s", prefix, number(plan.totalBytes())));
    line(
        String.format(
            Locale.ROOT, "#define %s_ARENA_ALIGNMENT %s", prefix, number(alignment(problem))));
    line(String.format(Locale.ROOT, "#define %s_TENSOR_COUNT %d", prefix, count));
    line("");
    if (count > 0) { // an empty array is not C
      line("/* The offset of each tensor in the arena, in bytes. */");
      line(
          String.format(
              Locale.ROOT,
              "static const %s %s_OFFSETS[%s_TENSOR_COUNT] = {",
              isWide ? "uint64_t" : "uint32_t",
              prefix,
              prefix));
      for (int i = 0; i < count; i++) {
        line(
            String.format(
                Locale.ROOT,
                "    %s%s /* %s: %s, %d bytes */",
                number(plan.assignment().offset(i)),
                i + 1 < count ? "," : "",
                comment(input.labels().get(i).id()),
                comment(input.labels().get(i).name()),
                problem.records().get(i).bytes()));
      }
      line("};");
      line("");
    }
    if (input.micro().isPresent()) {
      for (String line :
          BufferPlanText.lines(input.micro().get(), plan, prefix, PlanHeader::comment)) {
        line(line);
      }
    }
    line(String.format(Locale.ROOT, "#endif /* %s_ARENA_H */", prefix));
  }

  private String number(long value) {
    return value + (isWide ? "ull" : "u");
  }

  private static long alignment(PlanProblem problem) {
    return problem.records().stream()
        .mapToLong(problem::alignmentOf)
        .reduce(problem.alignment(), PlanHeader::leastCommonMultiple);
  }

  private static long leastCommonMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return Math.multiplyExact(a / x, b);
  }

  private void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }

  private static String fileName(PlanInput.Tensors input) {
    return String.valueOf(Path.of(input.file().path()).getFileName());
  }

  /** {@return a file name without its extension, as the start of names in C} */
  private static String prefix(String file) {
    int dot = file.lastIndexOf('.');
    String name = dot > 0 ? file.substring(0, dot) : file;
    String words = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    boolean isName = !words.isEmpty() && words.charAt(0) >= 'A' && words.charAt(0) <= 'Z';
    return isName ? words : "MODEL_" + words;
  }

  /** {@return a text that cannot end a comment, continue its line or contain a trigraph} */
  private static String comment(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "_")
        .replace("*/", "* /")
        .replace("/*", "/ *")
        .replace('\\', '/')
        .replace("??", "? ?");
  }
}
