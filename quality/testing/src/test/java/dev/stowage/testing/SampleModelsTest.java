package dev.stowage.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class SampleModelsTest {

  private static final Path MODELS = SampleModels.folder("models");
  private static final long MOST_BYTES = 3_000_000;

  private static List<Path> files(Path folder, String extension) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(extension))
          .sorted()
          .toList();
    }
  }

  @Test
  void all_kindsOfModels_haveEachNameOnce() {
    List<Path> models = List.copyOf(SampleModels.all(".onnx", "models/onnx", "models/skeleton"));
    assertThat(models).hasSizeGreaterThanOrEqualTo(20).doesNotHaveDuplicates();
    assertThat(models.stream().map(Path::getFileName)).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void find_fileOfNoSet_isEmpty() {
    assertThat(SampleModels.find("models/onnx/scan_1.onnx"))
        .contains(MODELS.resolve("onnx/scan_1.onnx"));
    assertThat(SampleModels.find("models/onnx/none.onnx")).isEmpty();
  }

  /** The size keeps clones small; the row has the licence. */
  @Test
  void folder_models_areSmallAndEachHasARowInTheReadme() throws IOException {
    String readme = Files.readString(SampleModels.folder("README.md"));
    long bytes = 0;
    for (Path file : files(MODELS, "")) {
      if (!file.toString().endsWith(".json")) {
        String name = "models/" + MODELS.relativize(file);
        assertThat(readme)
            .contains(String.format(Locale.ROOT, "| `%s` | %,d | ", name, Files.size(file)));
      }
      bytes += Files.size(file);
    }
    for (Path file : files(SampleModels.folder("corrupt"), "")) {
      bytes += Files.size(file);
    }
    assertThat(bytes).isLessThanOrEqualTo(MOST_BYTES);
  }

  /** This test alone reports that the larger set is absent, for all rows that are left out. */
  @Test
  void folders_largerSet_hasTheSameModels() throws IOException {
    List<Path> folders = SampleModels.folders("models");
    assumeTrue(folders.size() > 1, "needs the larger set of models (the folder ../shared/data)");
    for (Path file : files(MODELS, "")) {
      if (!file.toString().endsWith(".json")) {
        Path other = folders.getLast().resolve(MODELS.relativize(file).toString());
        assertThat(other).hasSameBinaryContentAs(file);
      }
    }
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {"none, 1, never", "scan_1, 24197, ", "none, 2, "})
  void rows_ofAbsentFiles_areLeftOut(Path file, long bytes, String empty) {
    assertThat(file).isEqualTo(MODELS.resolve("onnx/scan_1.onnx")).hasSize(bytes);
    assertThat(empty).isEmpty();
  }
}
