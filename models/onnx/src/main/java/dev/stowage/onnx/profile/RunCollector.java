package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.ServiceProfile.Counts;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Collects the events of a profile into runs with different shapes. */
final class RunCollector implements ProfileListener {

  /** The most operators of all runs that have not ended. */
  private static final int MAX_OPERATORS = 1_000_000;

  private record Timed(ProfiledOperator operator, EventTime time) {}

  /** The part of runs that is equal if their inputs have the same shapes. */
  private record SameInputs(List<String> operators, Map<String, ValueType.Tensor> inputs) {}

  private final String source;
  private final Function<List<ProfiledRun.Operator>, Map<String, ValueType.Tensor>> inputs;

  /** The operators of the run of each thread so far. */
  private final Map<Long, List<Timed>> open = new HashMap<>();

  private int openCount;
  private boolean isTooLarge;

  private boolean isParallel;
  private final Map<SameInputs, ProfiledRun> runs = new LinkedHashMap<>();
  private long runCount;
  private boolean isShortened;

  /**
   * Creates a collector.
   *
   * @param inputs returns the types of the inputs of the model that operators read, by name
   */
  RunCollector(
      String source, Function<List<ProfiledRun.Operator>, Map<String, ValueType.Tensor>> inputs) {
    this.source = source;
    this.inputs = inputs;
  }

  @Override
  public void operator(ProfiledOperator event, EventTime time) {
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
    List<Timed> run = open.getOrDefault(time.thread(), List.of());
    open.remove(time.thread());
    openCount -= run.size();
    // A run that failed has operators and no end.
    List<ProfiledRun.Operator> operators =
        run.stream()
            .filter(timed -> timed.time().startMicros() >= time.startMicros())
            .map(timed -> operator(timed.operator()))
            .toList();
    if (operators.isEmpty()) {
      isParallel |=
          open.values().stream()
              .flatMap(List::stream)
              .anyMatch(timed -> isDuring(timed.time(), time));
    } else {
      runCount++;
      add(operators);
    }
  }

  private static boolean isDuring(EventTime operator, EventTime run) {
    return operator.startMicros() >= run.startMicros() && operator.endMicros() <= run.endMicros();
  }

  private static ProfiledRun.Operator operator(ProfiledOperator operator) {
    return new ProfiledRun.Operator(
        operator.name(), operator.type(), operator.tensors(), operator.outputBytes());
  }

  private void add(List<ProfiledRun.Operator> operators) {
    runs.merge(
        new SameInputs(
            operators.stream().map(ProfiledRun.Operator::name).toList(), inputs.apply(operators)),
        new ProfiledRun(operators),
        RunCollector::largest);
    if (runs.size() > ServiceProfile.MAX_SHAPES) {
      isShortened = true;
      runs.remove(
          runs.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().outputBytes()))
              .orElseThrow()
              .getKey());
    }
  }

  private static ProfiledRun largest(ProfiledRun one, ProfiledRun other) {
    List<ProfiledRun.Operator> operators = new ArrayList<>();
    for (int i = 0; i < one.operators().size(); i++) {
      operators.add(one.operators().get(i).or(other.operators().get(i)));
    }
    return new ProfiledRun(operators);
  }

  ServiceProfile profile(boolean isCut) throws MalformedFileException {
    if (isParallel) {
      throw new MalformedFileException(
          source,
          "has operators in other threads than their run, expected a session with ExecutionMode.SEQUENTIAL");
    }
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
        runs.values().stream()
            .sorted(Comparator.comparingLong(ProfiledRun::outputBytes).reversed())
            .toList(),
        new Counts(runCount, isCut, isShortened));
  }
}
