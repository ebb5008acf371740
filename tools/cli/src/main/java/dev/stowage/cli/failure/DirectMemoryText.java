package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The errors of Java and Netty on direct memory. */
final class DirectMemoryText implements FailureText {

  private static final int MAX_LINES = 40;

  private static final String WITHOUT_NUMBERS = "OutOfMemoryError: Direct buffer memory";

  /** {@code java.nio.Bits}, since JDK 17. */
  private static final Pattern JAVA =
      Pattern.compile(
          "reserve (?<requested>\\d{1,18}) bytes of direct buffer memory"
              + "(?: \\(allocated: (?<used>\\d{1,18}), limit: (?<limit>\\d{1,18})\\))?");

  /** {@code io.netty.util.internal.PlatformDependent}. */
  private static final Pattern NETTY =
      Pattern.compile(
          "allocate (?<requested>\\d{1,18}) byte\\(s\\) of direct memory"
              + "(?: \\(used: (?<used>\\d{1,18}), max: (?<limit>\\d{1,18})\\))?");

  @Override
  public List<String> marks() {
    return List.of("bytes of direct buffer memory", "byte(s) of direct memory", WITHOUT_NUMBERS);
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    boolean isNetty = lines.indexOf("byte(s) of direct memory") >= 0;
    // The request is before the mark.
    Matcher message = (isNetty ? NETTY : JAVA).matcher(lines.text(0, 4));
    FailureNumbers numbers = FailureNumbers.NONE;
    if (message.find()) {
      numbers =
          numbers
              .with(FailurePart.REQUESTED, number(message, "requested"))
              .with(FailurePart.ALLOCATED, number(message, "used"))
              .with(FailurePart.LIMIT, number(message, "limit"));
    }
    return Optional.of(
        new Failure(
            isNetty || lines.text(0, MAX_LINES).contains("io.netty.")
                ? FailureProgram.NETTY
                : FailureProgram.JAVA,
            isNetty ? "error of Netty" : "error of Java",
            Failure.Cause.LIMIT,
            numbers,
            "",
            lines.number()));
  }

  private static Optional<PrintedBytes> number(Matcher message, String group) {
    return Optional.ofNullable(message.group(group))
        .map(digits -> PrintedBytes.exact(Long.parseLong(digits)));
  }
}
