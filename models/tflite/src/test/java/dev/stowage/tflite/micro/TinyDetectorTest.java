package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The model of {@code examples/tflm/}, compared with the code that generates it. */
class TinyDetectorTest {

  private static final Path FILE =
      Path.of(System.getProperty("stowage.root"), "examples", "tflm", "detector.tflite");

  @Test
  void example_ofTensorFlowLiteMicro_holdsTheGeneratedBytes() throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(FILE.getParent());
      Files.write(FILE, TinyDetector.toBytes());
    }
    assertThat(FILE).hasBinaryContent(TinyDetector.toBytes());
  }

  @Test
  void example_ofTensorFlowLiteMicro_isReadAsAnArena() throws IOException {
    MicroArena arena = MicroArenaReader.read(FILE);

    assertThat(arena.filePlan()).isEmpty();
    assertThat(arena.problem().records()).hasSize(16);
  }
}
