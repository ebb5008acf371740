package dev.stowage.onnx.allocator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Real models that are not a part of every checkout. */
final class SampleModels {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path FOLDER = ROOT.resolve("../shared/data/models/onnx").normalize();

  private SampleModels() {}

  /** {@return a model's file; the test is skipped where there are none} */
  static byte[] read(String name) throws IOException {
    assumeTrue(Files.isDirectory(FOLDER), "skipped: there are no models in " + FOLDER);
    return Files.readAllBytes(FOLDER.resolve(name + ".onnx"));
  }
}
