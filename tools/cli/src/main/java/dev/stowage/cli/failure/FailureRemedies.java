package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.failure.FailureChanges.Remedy;
import dev.stowage.cli.failure.FailureChanges.Useless;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.text.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What to do after a failed request: changes, and the ways to record what a text lacks. */
public final class FailureRemedies {

  /*
   * The keys of a block of the resource, whose title has programs:
   *
   *   if            what holds for the next lines: one of its verdicts, one of its programs, and each
   *                 of its numbers, which are in lower case
   *   help, cannot  a change, with the lines paste (of help) and why after it
   *   record        a line that records the failure, also if it ends the program
   *   next          the words of the command that reads the recording
   */

  private static final List<ResourceBlock> BLOCKS = ResourceBlock.read("remedies.txt");

  private static final Remedy OVERFLOW =
      new Remedy(
          "Look for a size that is negative or overflows: it wraps around when the allocator rounds it.",
          "",
          "No setting helps.");

  private final FailureProgram program;
  private final OutOfMemoryVerdict verdict;
  private final FailureNumbers numbers;

  private FailureRemedies(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    this.program = program;
    this.verdict = verdict;
    this.numbers = numbers;
  }

  /**
   * {@return the changes after a failure}
   *
   * @param numbers the numbers that are known, which some reasons name
   */
  public static FailureChanges of(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    boolean isOverflow =
        numbers
            .get(FailurePart.REQUESTED)
            .filter(bytes -> bytes.bytes() == Long.MAX_VALUE)
            .isPresent();
    return isOverflow
        ? new FailureChanges(List.of(OVERFLOW), List.of())
        : new FailureRemedies(program, verdict, numbers).changes();
  }

  /** {@return the lines that record the failure, also if it ends the program} */
  public static List<String> record(FailureProgram program) {
    return lines(program).stream()
        .filter(line -> line.key().equals("record"))
        .map(ResourceBlock.Line::value)
        .toList();
  }

  /** {@return the command that reads the recording; empty if there is none} */
  static Optional<String> next(FailureProgram program) {
    return lines(program).stream()
        .filter(line -> line.key().equals("next"))
        .map(line -> ShellLine.of(Arrays.asList(line.value().split(" ", -1))))
        .findFirst();
  }

  /** {@return the lines for any verdict and any numbers} */
  private static List<ResourceBlock.Line> lines(FailureProgram program) {
    return new FailureRemedies(program, OutOfMemoryVerdict.UNKNOWN, FailureNumbers.NONE).lines();
  }

  /** {@return the lines that hold} */
  private List<ResourceBlock.Line> lines() {
    List<ResourceBlock.Line> lines = new ArrayList<>();
    for (ResourceBlock block : BLOCKS) {
      boolean isOfProgram = words(block.title()).contains(program.name());
      boolean holds = isOfProgram;
      for (ResourceBlock.Line line : block.lines()) {
        if (line.key().equals("if")) {
          holds = isOfProgram && holds(words(line.value()));
        } else if (holds) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  private static List<String> words(String line) {
    return Arrays.asList(line.split(" ", -1));
  }

  private boolean holds(List<String> words) {
    return holds(words, OutOfMemoryVerdict.values(), verdict)
        && holds(words, FailureProgram.values(), program)
        && words.stream()
            .filter(word -> !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT)))
            .allMatch(word ->
                word.startsWith("no_")
                    ? value(word.substring("no_".length())).isEmpty()
                    : value(word).isPresent());
  }

  /** {@return true if a value is one of those that words name, or if they name none} */
  private static <E extends Enum<E>> boolean holds(List<String> words, E[] all, E value) {
    return words.contains(value.name())
        || Arrays.stream(all).noneMatch(each -> words.contains(each.name()));
  }

  /** {@return a value by its name, in words; empty if it is not known} */
  private Optional<String> value(String name) {
    long missing = numbers.missing().map(PrintedBytes::bytes).orElse(0L);
    return switch (name) {
      case "variable" ->
          Optional.of(
              program == FailureProgram.PYTORCH_HIP
                  ? "PYTORCH_HIP_ALLOC_CONF"
                  : program == FailureProgram.PYTORCH_XPU
                      ? "PYTORCH_ALLOC_CONF"
                      : "PYTORCH_CUDA_ALLOC_CONF");
      case "processes" ->
          Optional.of(
              program == FailureProgram.PYTORCH_HIP
                  ? "rocm-smi --showpids"
                  : program == FailureProgram.PYTORCH_XPU
                      ? "xpu-smi ps"
                      : "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv");
      case "raised" ->
          Optional.of(
              numbers
                  .get(FailurePart.LIMIT)
                  .map(limit -> Math.max(1, (limit.bytes() * 5 / 4) >> 20) + "m")
                  .orElse("SIZE"));
      case "many_others" ->
          numbers.others().filter(others -> others.bytes() >= missing).map(PrintedBytes::brief);
      case "few_others" ->
          numbers.others().filter(others -> others.bytes() < missing).map(PrintedBytes::brief);
      default -> numbers.text(name);
    };
  }

  private FailureChanges changes() {
    List<Remedy> remedies = new ArrayList<>();
    List<Useless> useless = new ArrayList<>();
    String text = "";
    String paste = "";
    boolean helps = false;
    for (ResourceBlock.Line line : lines()) {
      String value = Template.fill(line.value(), this::value);
      switch (line.key()) {
        case "help", "cannot" -> {
          helps = line.key().equals("help");
          text = value;
          paste = "";
        }
        case "paste" -> paste = value;
        case "why" -> {
          if (helps) {
            remedies.add(new Remedy(text, paste, value));
          } else {
            useless.add(new Useless(text, value));
          }
        }
        default -> {}
      }
    }
    return new FailureChanges(remedies, useless);
  }
}
