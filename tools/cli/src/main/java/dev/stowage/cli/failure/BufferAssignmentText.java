package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statistics of XLA's plan, which it prints after a failed request of a program.
 *
 * <p>After {@code BufferAssignment::Stats::ToString} and {@code ToVerboseString} in {@code
 * buffer_assignment.cc}.
 */
final class BufferAssignmentText implements FailureText {

  private static final int MAX_LINES = 24;

  private static final String MARK = "BufferAssignment OOM Debugging";

  private static final Phrase PARAMETERS = Phrase.of("parameter allocation: {}");
  private static final Phrase OUTPUTS = Phrase.of("maybe_live_out allocation: {}");
  private static final Phrase TEMPORARIES = Phrase.of("temp allocation: {}");
  private static final Phrase TOTAL = Phrase.of("total allocation: {}");
  private static final Phrase FRAGMENTATION = Phrase.of("total fragmentation: {}");

  private static final Pattern LARGEST =
      Pattern.compile(
          "Buffer 1: Size: \\S+(?: Entry Parameter Subshape:| Operator: op_(?:name|type)=)\\s*"
              + "\"?([^\"]{1,200}?)\"?(?: source_file=\"([^\"]{1,200})\" source_line=(\\d+))?"
              + "(?= (?:XLA|Shape|op_|source|deduplicated|=)|$)");

  @Override
  public List<String> marks() {
    return List.of(MARK);
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String all = lines.text(start, MAX_LINES);
    int next = all.indexOf(MARK, 1);
    String text = next > 0 ? all.substring(0, next) : all;
    return Optional.of(
        new Failure(
            text.contains("pjit(") || text.contains("jit(")
                ? FailureProgram.JAX
                : FailureProgram.XLA,
            "statistics of XLA's plan",
            Failure.Cause.REQUEST,
            FailureNumbers.NONE
                .with(FailurePart.PARAMETERS, PARAMETERS.find(text))
                .with(FailurePart.OUTPUTS, OUTPUTS.find(text))
                .with(FailurePart.TEMPORARIES, TEMPORARIES.find(text))
                .with(FailurePart.PROGRAM_TOTAL, TOTAL.find(text))
                .with(FailurePart.PLAN_FRAGMENTATION, FRAGMENTATION.find(text)),
            largest(text),
            lines.number()));
  }

  /** {@return the operator of the largest buffer; empty if the text does not have it} */
  private static String largest(String text) {
    Matcher buffer = LARGEST.matcher(text);
    if (!buffer.find()) {
      return "";
    }
    return buffer.group(2) == null
        ? buffer.group(1)
        : buffer.group(1) + " (" + buffer.group(2) + ":" + buffer.group(3) + ")";
  }
}
