package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The memory of an application into which TensorFlow Lite Micro decompresses constants. */
class DecompressionTest {

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void copyModel() throws IOException {
    model = copy("decode.tflite");
  }

  private Path copy(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(DecompressionTest.class.getResourceAsStream(name))) {
      Files.copy(in, copy);
    }
    return copy;
  }

  private CommandRun planned(Object... options) {
    Object[] arguments = {"plan", model, "--runtime", "tflm", "--no-scratch", "--strategy"};
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.add("OPTIMAL");
    all.addAll(List.of(options));
    return CommandRun.of(all.toArray());
  }

  private static JsonNode tflm(CommandRun run) {
    return JsonMapper.shared().readTree(run.out()).get("tflm");
  }

  @Test
  void plan_withoutMemory_decompressesIntoTheHead() {
    CommandRun run = planned("--format", "json");

    assertThat(tflm(run).get("without_plan_bytes").asLong()).isEqualTo(3200);
    assertThat(run.err())
        .isEqualTo(
            "stowage: note: %s: constants that are decompressed into the head: 3; with SetDecompressionMemory, the application needs a smaller head\n"
                .formatted(model));
  }
}
