package dev.stowage.onnx;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Models that are not a part of every checkout. */
public final class SampleModels {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path DATA = ROOT.resolve("../shared/data").normalize();

  private SampleModels() {}

  /** {@return the folder of a kind of models; the test is skipped where there is none} */
  public static Path folder(String kind) {
    Path folder = DATA.resolve(kind);
    assumeTrue(Files.isDirectory(folder), "skipped: there are no models in " + folder);
    return folder;
  }

  /** {@return the folder of the project's own examples} */
  static Path examples() {
    return ROOT.resolve("examples");
  }

  /** {@return all models there are} */
  static List<Path> all() {
    return Stream.of(
            examples(),
            DATA.resolve("models/onnx"),
            DATA.resolve("models/skeleton"),
            DATA.resolve("corrupt/onnx"))
        .flatMap(folder -> in(folder).stream())
        .toList();
  }

  /** {@return the models in a folder, by name} */
  static List<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".onnx")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
