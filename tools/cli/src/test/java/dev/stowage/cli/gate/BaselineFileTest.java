package dev.stowage.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Baseline files: written, read, and damaged. */
class BaselineFileTest {

  @TempDir private Path folder;

  private static LongStream seeds() {
    return Seeds.of(100);
  }

  private static String text(Baseline baseline) throws IOException {
    StringWriter out = new StringWriter();
    baseline.write(out);
    return out.toString();
  }

  private Baseline read(byte[] content) throws IOException {
    Path file = folder.resolve("memory.json");
    Files.write(file, content);
    return Baseline.readIfExists(file.toString()).orElseThrow();
  }

  private static Baseline random(Random random) {
    Baseline baseline = Baseline.EMPTY;
    for (String command : List.of("plan", "budget")) {
      Map<String, BaselineEntry> entries = new TreeMap<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        entries.put("models/" + name(random), entry(random));
      }
      baseline = baseline.with(command, entries, new TreeSet<>());
    }
    return baseline;
  }

  private static BaselineEntry entry(Random random) {
    TreeMap<String, String> options = new TreeMap<>();
    TreeMap<String, Long> figures = new TreeMap<>();
    TreeMap<String, Long> parts = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      parts.put(name(random), random.nextLong(Long.MAX_VALUE));
      options.put("--" + name(random), name(random));
      figures.put(name(random), random.nextLong(Long.MAX_VALUE));
    }
    return new BaselineEntry(figures, options, parts);
  }

  private static String name(Random random) {
    return List.of("a", "\"", "\n", "é", "/model/conv:0", "").get(random.nextInt(6))
        + random.nextInt(100);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_anyWrittenBaseline_isTheSame(long seed) throws IOException {
    String text = text(random(new Random(seed)));

    assertThat(text(read(text.getBytes(StandardCharsets.UTF_8)))).isEqualTo(text);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedBaseline_isABaselineOrAnErrorWithItsFile(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] content = text(random(random)).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 50; i++) {
      byte[] damaged = content.clone();
      if (random.nextBoolean()) {
        damaged = java.util.Arrays.copyOf(damaged, random.nextInt(damaged.length));
      } else {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(read(damaged)).isNotNull();
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageStartingWith(folder + "/memory.json: ").hasMessageContaining(" ");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|is empty, expected a baseline of stowage, an object with the key 'baseline_version'",
        "{}|line 1, column 2: baseline_version is missing, expected a baseline of stowage, an object with the key 'baseline_version'",
        "[]|line 1, column 1: is a list, expected a baseline of stowage, an object with the key 'baseline_version'",
        "{\"records\": []}|line 1, column 15: baseline_version is missing, expected a baseline of stowage, an object with the key 'baseline_version'",
        "{\"baseline_version\": 2}|the version of the baseline is 2, expected 1; use the stowage that wrote the file, or delete it and write it with --update-baseline",
        "{\"baseline_version\": 0}|the version of the baseline is 0, expected 1; use the stowage that wrote the file, or delete it and write it with --update-baseline",
        "{\"baseline_version\": 1, \"plan\": {\"a\": {\"figures\": {}, \"parts\": {}}}}|line 1, column 66: plan.a.options is missing, expected a value",
        "{\"baseline_version\": 1, \"plan\": {\"a\": {\"options\": {\"--io\": []}}}}|line 1, column 60: plan.a.options.--io is a list, expected a text",
        "{\"baseline_version\": 1} {}|line 1, column 25: there is text after the object, expected the end of the file",
      })
  void read_wrongContent_saysWhatIsExpected(String content, String message) {
    assertThatThrownBy(() -> read(content.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(folder + "/memory.json: " + message);
  }

  @Test
  void write_entry_hasALineForEachFigureAndOption() throws IOException {
    BaselineEntry entry =
        new BaselineEntry(
            new TreeMap<>(Map.of("offsets_bytes", 8L, "objects_bytes", 9L)),
            new TreeMap<>(Map.of("--alignment", "1")),
            new TreeMap<>());

    assertThat(text(Baseline.EMPTY.with("plan", Map.of("m", entry), new TreeSet<>())))
        .isEqualTo(
            """
            {
              "baseline_version": 1,
              "plan": {
                "m": {
                  "figures": {
                    "objects_bytes": 9,
                    "offsets_bytes": 8
                  },
                  "options": {
                    "--alignment": "1"
                  },
                  "parts": {}
                }
              }
            }
            """);
  }

  @Test
  void read_olderBaselineWithRecords_ignoresThem() throws IOException {
    String older =
        "{\"baseline_version\": 1, \"plan\": {\"m\": {\"figures\": {\"a\": 1}, \"options\": {}, \"parts\": {}, \"records\": [{\"size\": 1}]}}}";

    assertThat(read(older.getBytes(StandardCharsets.UTF_8)).find("plan", "m"))
        .hasValue(BaselineEntry.of(new TreeMap<>(Map.of("a", 1L))));
  }

  @Test
  void keys_ofFilesInAndOutOfTheFolder_areRelative() {
    BaselineKeys keys = new BaselineKeys(folder.resolve("ci/memory.json").toString());

    assertThat(keys.of(folder.resolve("ci/models/a.onnx").toString())).isEqualTo("models/a.onnx");
    assertThat(keys.of(folder.resolve("ci/./x/../a.onnx").toString())).isEqualTo("a.onnx");
    assertThat(keys.of(folder.resolve("models/a.onnx").toString())).isEqualTo("../models/a.onnx");
    assertThat(keys.of("-")).isEqualTo("-");
  }
}
