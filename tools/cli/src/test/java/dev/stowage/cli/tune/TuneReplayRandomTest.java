package dev.stowage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.CommandRun;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.netty.ChildNetty;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.TraceTuning;
import dev.stowage.trace.tune.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code tune} and {@code replay} have the same figures for the same settings of a recording. */
class TuneReplayRandomTest {

  private static final int SETTINGS = 3;

  static Stream<Arguments> recordings() {
    List<Path> traces =
        Stream.of(
                SampleModels.folder("gpu"), SampleModels.folder("traces"), SampleModels.examples())
            .flatMap(TuneReplayRandomTest::tracesIn)
            .toList();
    return Seeds.of(10)
        .boxed()
        .flatMap(seed -> traces.stream().map(trace -> Arguments.of(trace, seed)));
  }

  private static Stream<Path> tracesIn(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(TuneReplayRandomTest::isTrace).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTrace(Path file) {
    try {
      return Files.isRegularFile(file)
          && !file.toString().matches(".*(tflite|onnx|java|class|jar|h|md|html|netty\\.jfr)")
          && TraceReader.isTrace(file, TraceFormats.options());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0} -Dtests.seed={1}")
  @MethodSource("recordings")
  void sameSettings_haveTheSameFigures(Path file, long seed) throws IOException {
    Optional<TuningInput> read = read(file);
    if (read.isEmpty()) {
      return; // a report or a state, whose text another test has
    }
    TuningInput input = read.get();
    Random random = new Random(file.getFileName().hashCode() * 31L + seed);
    TuningRequest request = request(input, random);
    for (Trial trial : trials(request, input, random)) {
      List<Object> words = words(request, input, trial.candidate());
      CommandRun run = CommandRun.of(words.toArray());
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
      JsonNode replayed = new JsonMapper().readTree(run.out());
      assertThat(figures(replayed)).as(words.toString()).isEqualTo(figures(trial, request, input));
    }
  }

  private static Optional<TuningInput> read(Path file) throws IOException {
    try {
      return Optional.of(TuningInput.read(file.toString(), TraceFormats.options()));
    } catch (MalformedFileException e) {
      return Optional.empty();
    }
  }

  private static TuningRequest request(TuningInput input, Random random) {
    long peak = input.trace().peakRequestedBytes();
    AllocatorKind[] others = {AllocatorKind.bfc, AllocatorKind.pytorch, AllocatorKind.rmm};
    Optional<AllocatorKind> allocator =
        random.nextInt(3) > 0
            ? Optional.empty()
            : Optional.of(others[random.nextInt(others.length)]);
    boolean isPytorch = allocator.orElseGet(input::usualAllocator) == AllocatorKind.pytorch;
    LongSupplier limit = () -> Math.max(1024, (long) (peak * (0.4 + random.nextDouble())));
    return new TuningRequest(
        allocator,
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(limit.getAsLong()),
        isPytorch && random.nextInt(3) == 0,
        Optional.empty(),
        new ChildNetty(Optional.empty()));
  }

  /** {@return results of the recorded settings, or of the defaults, and of random ones} */
  private static List<Trial> trials(TuningRequest request, TuningInput input, Random random) {
    List<Candidate> all = request.candidates(input);
    List<Candidate> chosen =
        new ArrayList<>(List.of(request.tuning(input, all).baseline(), all.getFirst()));
    for (int i = 0; i < SETTINGS; i++) {
      chosen.add(all.get(random.nextInt(all.size())));
    }
    TraceTuning tuning = request.tuning(input, chosen.stream().distinct().toList());
    Optional<TraceTuning.Replay> replay = tuning.next();
    while (replay.isPresent()) {
      replay.get().run(() -> false);
      replay = tuning.next();
    }
    return tuning.results();
  }

  private static List<Object> words(TuningRequest request, TuningInput input, Candidate candidate) {
    AllocatorKind allocator = request.allocatorOf(input);
    List<Object> words =
        new ArrayList<>(List.of("replay", input.input(), "--format", "json", "--allow-failures"));
    words.addAll(List.of("--allocator", allocator.name()));
    String settings = candidate.settings();
    OptionalLong limit = request.limitBytes();
    switch (allocator) {
      case pytorch -> words.addAll(List.of("--settings", settings));
      case xla -> {
        if (limit.isPresent() || input.trace().limitBytes().isPresent() || !settings.isEmpty()) {
          words.addAll(List.of("--settings", settings));
        }
      }
      case bfc, rmm, netty -> {
        if (!settings.isEmpty()) {
          words.addAll(List.of(settings.split(" ", -1)));
        }
        // One region has the size of a limit, which may be that of the recording.
        limit = settings.contains("--no-growth") ? request.limitOf(input) : limit;
      }
    }
    limit.ifPresent(bytes -> words.addAll(List.of("--limit", bytes)));
    if (request.emptiesCache()) {
      words.add("--empty-cache");
    }
    return words;
  }

  private static List<Long> figures(Trial trial, TuningRequest request, TuningInput input) {
    Trial.Outcome result = trial.result();
    OptionalLong limit = request.limitOf(input);
    if (limit.isEmpty() && request.allocatorOf(input) == AllocatorKind.xla) {
      limit = input.trace().limitBytes();
    }
    return List.of(
        result.failures(),
        result.lowFailures(),
        result.peakReservedBytes(),
        result.lowBytes(),
        result.deviceCalls(),
        limit.orElse(0));
  }

  private static List<Long> figures(JsonNode replayed) {
    long failures = replayed.get("failures").longValue();
    long peak = replayed.get("peak_reserved_bytes").longValue();
    return List.of(
        failures,
        number(replayed, "failures_low", failures),
        peak,
        number(replayed, "peak_reserved_low_bytes", peak),
        replayed.get("device_calls").longValue(),
        number(replayed, "limit_bytes", 0));
  }

  private static long number(JsonNode line, String field, long other) {
    return line.has(field) ? line.get(field).longValue() : other;
  }
}
