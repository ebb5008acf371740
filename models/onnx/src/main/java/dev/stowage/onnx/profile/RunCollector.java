package dev.stowage.onnx.profile;

import dev.stowage.onnx.profile.ProfiledOperator.ArenaStatistics;
import dev.stowage.onnx.profile.ProfiledOperator.Tensors;
import dev.stowage.onnx.profile.ServiceProfile.ArenaUse;
import dev.stowage.onnx.profile.ServiceProfile.Counts;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Collects the events of a profile into runs with different shapes. */
final class RunCollector implements ProfileListener {

  /** The most operators of all runs that have not ended. */
  private static final int MAX_OPERATORS = 1_000_000;

  private record Timed(ProfiledOperator operator, EventTime time) {}

  /** The part of an operator that must be equal for runs to have the same shapes. */
  private record Shapes(String name, String type, Tensors tensors, long outputBytes) {}

  /** The runs with the same shapes. */
  private static final class SameRuns {
    private final long[] limits;
    private final long outputBytes;
    private long count;

    SameRuns(int operators, long outputBytes) {
      limits = new long[operators];
      Arrays.fill(limits, Long.MAX_VALUE);
      this.outputBytes = outputBytes;
    }
  }

  private final String source;

  /** The operators of the run of each thread so far. */
  private final Map<Long, List<Timed>> open = new HashMap<>();

  private int openCount;
  private boolean isTooLarge;
  private final Map<List<Shapes>, SameRuns> runs = new LinkedHashMap<>();
  private long runCount;
  private boolean isShortened;
  private boolean isConcurrent;
  private long lastEnd = Long.MIN_VALUE;
  private long peakBytes;
  private long heldBytes;
  private int threads = 1;

  RunCollector(String source) {
    this.source = source;
  }

  @Override
  public void operator(ProfiledOperator event, EventTime time) {
    event
        .arena()
        .ifPresent(arena -> {
          peakBytes = Math.max(peakBytes, arena.peakBytes());
          heldBytes = Math.max(heldBytes, arena.heldBytes());
        });
    threads = Math.max(threads, event.threads());
    List<Timed> run = open.computeIfAbsent(time.thread(), _ -> new ArrayList<>());
    // The operators of a body have ended before the operator with the body.
    while (!run.isEmpty() && isWithin(run.getLast().time(), time)) {
      run.removeLast();
      openCount--;
    }
    if (openCount >= MAX_OPERATORS) {
      isTooLarge = true;
      return;
    }
    run.add(new Timed(event, time));
    openCount++;
  }

  /** {@return true if an operator that ended before another one started after it} */
  private static boolean isWithin(EventTime earlier, EventTime later) {
    return earlier.startMicros() > later.startMicros()
        || (earlier.startMicros() == later.startMicros()
            && earlier.endMicros() > earlier.startMicros());
  }

  @Override
  public void run(EventTime time) {
    // Runs are in the order of their ends.
    isConcurrent |= time.startMicros() < lastEnd;
    lastEnd = Math.max(lastEnd, time.endMicros());
    List<Timed> run = open.getOrDefault(time.thread(), List.of());
    open.remove(time.thread());
    openCount -= run.size();
    // A run that failed has operators and no end.
    List<ProfiledOperator> operators =
        run.stream()
            .filter(timed -> timed.time().startMicros() >= time.startMicros())
            .map(Timed::operator)
            .toList();
    if (!operators.isEmpty()) {
      runCount++;
      add(operators);
    }
  }

  private void add(List<ProfiledOperator> operators) {
    List<Shapes> shapes =
        operators.stream()
            .map(operator ->
                new Shapes(
                    operator.name(),
                    operator.type(),
                    operator.tensors(),
                    operator.bytes().outputBytes()))
            .toList();
    SameRuns same =
        runs.computeIfAbsent(
            shapes,
            _ ->
                new SameRuns(
                    shapes.size(),
                    operators.stream()
                        .mapToLong(operator -> operator.bytes().outputBytes())
                        .sum()));
    same.count++;
    for (int i = 0; i < operators.size(); i++) {
      same.limits[i] =
          Math.min(
              same.limits[i],
              operators.get(i).arena().map(ArenaStatistics::freeBelowPeakBytes).orElse(-1L));
    }
    if (runs.size() > ServiceProfile.MAX_SHAPES) {
      isShortened = true;
      runs.remove(
          runs.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().outputBytes))
              .orElseThrow()
              .getKey());
    }
  }

  ServiceProfile profile(boolean isCut) throws MalformedFileException {
    if (isTooLarge) {
      throw new MalformedFileException(
          source, "has more than 1,000,000 operators in a run, expected fewer");
    }
    if (runs.isEmpty()) {
      throw new MalformedFileException(
          source,
          isCut
              ? "ends within an event, before the end of the first run; expected at least one run"
              : "has no run, expected a profile of ONNX Runtime in which a session ran");
    }
    return new ServiceProfile(
        source,
        runs.entrySet().stream()
            .map(entry -> run(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(ProfiledRun::outputBytes).reversed())
            .toList(),
        new Counts(runCount, isCut, isShortened, isConcurrent),
        new ArenaUse(peakBytes, heldBytes),
        threads);
  }

  private ProfiledRun run(List<Shapes> shapes, SameRuns same) {
    List<ProfiledRun.Operator> operators = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      Shapes each = shapes.get(i);
      operators.add(
          new ProfiledRun.Operator(
              each.name,
              each.type,
              each.tensors,
              each.outputBytes,
              isConcurrent || same.limits[i] < 0
                  ? OptionalLong.empty()
                  : OptionalLong.of(same.limits[i])));
    }
    return new ProfiledRun(operators, same.count, same.outputBytes);
  }
}
