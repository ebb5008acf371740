package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages of Linux when it kills a process for a lack of memory.
 *
 * <p>After {@code mm/oom_kill.c} and {@code mm/memcontrol.c}.
 */
final class KernelText implements FailureText {

  /** Sizes of the kernel, in pages. */
  private static final Pattern USAGE =
      Pattern.compile("memory(?:\\+swap)?: usage (\\d{1,12})kB, limit (\\d{1,12})kB");

  private static final Pattern KILLED =
      Pattern.compile(
          "Kill(?:ed)? process (\\d{1,9})(?: \\(([^() ][^()]{0,23})\\))?(?:.{0,40}?anon-rss:(\\d{1,15})kB)?");

  private static final String GROUP = "Memory cgroup out of memory";

  private Optional<Failure> last = Optional.empty();

  @Override
  public List<String> marks() {
    return List.of(
        "invoked oom-killer",
        "memory: usage",
        "memory+swap: usage",
        GROUP,
        "Out of memory: Kill",
        "Killed process",
        "oom-kill:constraint=CONSTRAINT_");
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String line = lines.text(start, 3);
    Matcher usage = USAGE.matcher(line);
    Matcher killed = KILLED.matcher(line);
    boolean isUsage =
        usage.lookingAt() && isReached(usage) && !(line.startsWith("memory+") && hasLimit());
    boolean isKilled = !isUsage && line.contains("process") && killed.find();
    boolean isGroup =
        isUsage
            || line.startsWith(GROUP)
            || line.startsWith("oom-kill:constraint=CONSTRAINT_MEMCG");
    boolean isMachine =
        line.startsWith("Out of memory: Kill")
            || line.startsWith("oom-kill:constraint=CONSTRAINT_NONE");
    if (line.startsWith("invoked") || !(isKilled || isGroup || isMachine)) {
      last = line.startsWith("invoked") ? Optional.empty() : last;
      return Optional.empty();
    }
    FailureNumbers numbers = FailureNumbers.NONE;
    if (isUsage) {
      numbers =
          numbers
              .with(FailurePart.ALLOCATED, PrintedBytes.of(usage.group(1), "kB"))
              .with(FailurePart.LIMIT, PrintedBytes.of(usage.group(2), "kB"));
    }
    String victim = "";
    if (isKilled) {
      victim =
          (killed.group(2) == null ? "process" : killed.group(2).strip())
              + " ("
              + killed.group(1)
              + ")";
      numbers =
          numbers.with(
              FailurePart.VICTIM,
              Optional.ofNullable(killed.group(3)).map(digits -> PrintedBytes.of(digits, "kB")));
    }
    return failure(lines, isGroup, isMachine, numbers, victim);
  }

  /** {@return true if a group uses 99 % of its limit: a group above it may have the other one} */
  private static boolean isReached(Matcher usage) {
    return Long.parseLong(usage.group(1)) >= Long.parseLong(usage.group(2)) / 100 * 99;
  }

  private boolean hasLimit() {
    return last.filter(before -> before.numbers().has(FailurePart.LIMIT)).isPresent();
  }

  private Optional<Failure> failure(
      FailureLines lines,
      boolean isGroup,
      boolean isMachine,
      FailureNumbers numbers,
      String victim) {
    Optional<Failure> before =
        last.filter(one ->
            !numbers.has(FailurePart.LIMIT)
                && !(isGroup && one.program() == FailureProgram.MACHINE));
    boolean isOfGroup =
        isGroup || before.filter(one -> one.program() == FailureProgram.CONTAINER).isPresent();
    last =
        Optional.of(
            new Failure(
                isOfGroup && !isMachine ? FailureProgram.CONTAINER : FailureProgram.MACHINE,
                "message of Linux",
                isOfGroup && !isMachine
                    ? Failure.Cause.LIMIT
                    : isMachine || before.isPresent()
                        ? Failure.Cause.MACHINE
                        : Failure.Cause.KILLED,
                before.map(one -> numbers.and(one.numbers())).orElse(numbers),
                victim.isEmpty() ? before.map(Failure::detail).orElse("") : victim,
                before.map(Failure::line).orElse(lines.number())));
    return last;
  }
}
