package dev.stowage.tflite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Models that are not a part of every checkout. */
final class SampleModels {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path DATA = ROOT.resolve("../shared/data").normalize();

  private SampleModels() {}

  /** {@return the folder of real models; the test is skipped where there is none} */
  static Path real() {
    return existing(DATA.resolve("models/tflite"));
  }

  /** {@return the folder of damaged and odd models; the test is skipped where there is none} */
  static Path corrupt() {
    return existing(DATA.resolve("corrupt/tflite"));
  }

  /** {@return the project's own examples} */
  static List<Path> examples() {
    return in(ROOT.resolve("examples"));
  }

  /** {@return all models there are, or none} */
  static List<Path> all() {
    return Stream.of(
            ROOT.resolve("examples"), DATA.resolve("models/tflite"), DATA.resolve("corrupt/tflite"))
        .flatMap(folder -> in(folder).stream())
        .toList();
  }

  /** {@return the models in a folder, by name} */
  static List<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".tflite")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path existing(Path folder) {
    assumeTrue(Files.isDirectory(folder), "skipped: there are no models in " + folder);
    return folder;
  }
}
