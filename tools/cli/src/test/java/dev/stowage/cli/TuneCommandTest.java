package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class TuneCommandTest {

  /** The large block is reused for the small request unless it may not be split. */
  private static final String TRACE =
      """
      op,id,bytes,stream,t
      a,a,300000000,0,0
      f,a,,0,1
      a,b,30000000,0,2
      a,c,290000000,0,3
      a,z,0,0,4
      """;

  private static final String OTHER =
      "op,id,bytes,stream,t\na,a,3000000,0,0\na,b,5000000,0,1\nf,a,,0,2\na,c,2000000,0,3\n";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static JsonNode json(String line) {
    return new JsonMapper().readTree(line);
  }

  @Test
  void tune_moreBytesThanALong_hasNoPlanWithHindsight() throws IOException {
    String request = Long.toString(1L << 62);
    Path trace =
        file(
            "t.csv",
            "op,id,bytes,stream,t\na,a,R,0,0\na,b,R,0,1\nf,a,,0,2\na,c,R,0,3\n"
                .replace("R", request));

    CommandRun run = CommandRun.of("tune", trace, "--format", "json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.NO_PLAN);
    JsonNode result = json(run.out());
    assertThat(result.get("peak_requested_bytes").longValue()).isEqualTo(Long.MAX_VALUE);
    assertThat(result.has("hindsight_bytes")).isFalse();
  }

  @Test
  void tune_json_hasTheFieldsOfTheContract() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run = CommandRun.of("tune", trace, "--allocator", "pytorch", "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    JsonNode result = json(run.out());
    assertThat(result.get("input").stringValue()).isEqualTo(trace.toString());
    assertThat(result.get("recorded_reserved_bytes").isNull()).isTrue();
    assertThat(result.get("peak_requested_bytes").longValue()).isEqualTo(320_000_000);
    assertThat(result.get("hindsight_bytes").longValue()).isEqualTo(320_000_000);
    assertThat(result.get("hindsight_bound_bytes").longValue()).isEqualTo(320_000_000);
    assertThat(result.get("cut").booleanValue()).isFalse();
    JsonNode best = result.get("settings").get(0);
    assertThat(best.get("settings").stringValue()).isEqualTo("max_split_size_mb:256");
    assertThat(best.get("peak_reserved_bytes").longValue()).isEqualTo(333_447_168);
    assertThat(best.get("failures").intValue()).isZero();
    assertThat(best.get("device_calls").intValue()).isEqualTo(2);
    assertThat(best.get("seconds").doubleValue()).isPositive();
    assertThat(best.get("baseline").booleanValue()).isFalse();
    assertThat(result.get("paste").stringValue())
        .isEqualTo("PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:256");
    assertThat(result.get("settings").valueStream())
        .anyMatch(row ->
            row.get("baseline").booleanValue() && row.get("settings").stringValue().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bfc", "pytorch", "rmm"})
  void tune_bestSettingsReplayed_haveTheReportedFigures(String allocator) throws IOException {
    for (String limit : List.of("1TiB", "310MiB", "250MiB")) {
      Path trace = file("t.csv", TRACE);
      CommandRun run =
          CommandRun.of(
              "tune", trace, "--allocator", allocator, "--limit", limit, "--format", "json");
      JsonNode best = json(run.out()).get("settings").get(0);
      List<Object> replay =
          new ArrayList<>(
              List.of(
                  "replay", trace, "--allocator", allocator, "--limit", limit, "--format", "json"));
      String settings = best.get("settings").stringValue();
      if (allocator.equals("pytorch")) {
        replay.addAll(List.of("--settings", settings));
      } else if (!settings.isEmpty()) {
        replay.addAll(List.of((Object[]) settings.split(" ", -1)));
      }
      CommandRun replayed = CommandRun.of(replay.toArray());
      assertThat(replayed.exitCode()).isEqualTo(run.exitCode());
      JsonNode result = json(replayed.out());
      for (String figure : List.of("peak_reserved_bytes", "failures", "device_calls")) {
        assertThat(result.get(figure)).as(figure).isEqualTo(best.get(figure));
      }
    }
  }

  @Test
  void tune_csv_hasALineForEachTraceAndSetting() throws IOException {
    Path trace = file("t.csv", OTHER);

    CommandRun run = CommandRun.of("tune", trace, "--allocator", "rmm", "--format", "csv");

    List<String> lines = run.out().lines().toList();
    assertThat(lines.getFirst())
        .isEqualTo(
            "input,allocator,settings,baseline,peak_reserved_bytes,peak_reserved_low_bytes,"
                + "device_calls,failures,failures_low,seconds,peak_requested_bytes,cut");
    assertThat(lines.get(1).replaceAll("0\\.\\d{6}", "S"))
        .isEqualTo(trace + ",rmm,,true,8000256,8000256,2,0,0,S,8000000,false");
  }

  @Test
  void tune_severalTraces_haveAnAnswerEach() throws IOException {
    Path one = file("one.csv", TRACE);
    Path two = file("two.csv", OTHER);

    CommandRun run = CommandRun.of("tune", one, two, "--allocator", "pytorch", "--format", "json");

    assertThat(run.out().lines().map(line -> json(line).get("input").stringValue()))
        .containsExactly(one.toString(), two.toString());
  }

  /** The figures of a row that programs read; settings with equal ones share a row. */
  private static List<JsonNode> figures(JsonNode row) {
    return Stream.of("peak_reserved_bytes", "peak_reserved_low_bytes", "failures", "device_calls")
        .map(row::path)
        .toList();
  }

  @Test
  void tune_equalSettings_shareARow() throws IOException {
    Path trace = file("t.csv", TRACE);

    CommandRun run = CommandRun.of("tune", trace, "--allocator", "pytorch", "--format", "json");

    List<JsonNode> settings = json(run.out()).get("settings").valueStream().toList();
    long outcomes = settings.stream().map(TuneCommandTest::figures).distinct().count();
    assertThat(outcomes).isBetween(2L, settings.size() / 10L);
    CommandRun table = CommandRun.wide("tune", trace, "--allocator", "pytorch");
    String rows = table.out().substring(table.out().indexOf("SETTINGS"));
    // The baseline and the recommended settings have rows of their own.
    assertThat(rows.substring(0, rows.indexOf("\n\n")).lines())
        .hasSizeBetween((int) outcomes + 1, (int) outcomes + 3);
  }

  @Test
  void tune_logOfRmm_tunesItsPool() {
    CommandRun run =
        CommandRun.of("tune", "examples/formats/rmm.txt", "--limit", "64MiB", "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(json(run.out()).get("allocator").stringValue()).isEqualTo("rmm");
    assertThat(json(run.out()).get("paste").stringValue()).startsWith("rmm.reinitialize(");
  }

  @Test
  void tune_badTraceAmongOthers_exits3AndTunesTheOthers() throws IOException {
    Path good = file("good.csv", OTHER);
    Path bad = file("bad.csv", "nothing");

    CommandRun run = CommandRun.of("tune", bad, good, "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).startsWith("stowage: " + bad + ": starts with 'nothing', expected");
    assertThat(json(run.out()).get("paste").stringValue()).startsWith("BfcOptions.");
  }

  @Test
  void tune_limitThatNothingFits_exits4() throws IOException {
    Path trace = file("t.csv", OTHER);

    CommandRun run = CommandRun.wide("tune", trace, "--limit", "1MiB", "--allocator", "pytorch");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(run.out())
        .isEqualTo(
            """
            %s: No setting helps: the program requests 7.629 MiB (8,000,000 bytes) at its peak, and\
             the limit is 1.000 MiB (1,048,576 bytes).
            Confidence: estimate. The trace is not a recording of PyTorch's allocator: segments that\
             were held before it, private pools, waiting frees and calls of empty_cache are not known.
            """
                .formatted(trace));
  }

  @Test
  void tune_interrupted_namesTheTracesThatItDidNotTune() throws IOException {
    Path trace = file("t.csv", OTHER);

    CommandRun run = CommandRun.interrupted("tune", trace);

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("stowage: interrupted: not tuned: " + trace + "\n");
  }

  @Test
  void tune_timeLimit_keepsTheBaselineAndMarksTheCut() throws IOException {
    Path trace = file("t.csv", OTHER);

    CommandRun run =
        CommandRun.of("tune", trace, "--time-limit", "0.000000001", "--format", "json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    JsonNode result = json(run.out());
    assertThat(result.get("cut").booleanValue()).isTrue();
    assertThat(result.get("settings").valueStream())
        .anyMatch(row -> row.get("baseline").booleanValue());
    assertThat(CommandRun.of("tune", trace, "--time-limit", "0.000000001").out())
        .contains(" The search was cut; better settings may exist.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--limit 100 | --limit is 100, expected 256 or more bytes",
        "--time-limit 0 | Invalid value for option '--time-limit': '0' is not a time above 0,"
            + " expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
      })
  void tune_wrongCommandLine_exits2(String options, String message) throws IOException {
    List<Object> words = new ArrayList<>(List.of("tune", file("t.csv", OTHER)));
    words.addAll(List.of((Object[]) options.strip().split(" ", -1)));

    CommandRun run = CommandRun.of(words.toArray());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).isEqualTo("stowage: " + message + "\nTry 'stowage tune --help'.\n");
  }
}
