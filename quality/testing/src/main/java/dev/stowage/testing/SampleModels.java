package dev.stowage.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Real models and traces for tests: the project's examples, the samples of every clone in {@code
 * quality/testing/data}, and a larger set with the same folders that not every machine has.
 */
public final class SampleModels {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path OWN = ROOT.resolve("quality/testing/data");
  private static final Path LARGER_SET = ROOT.resolve("../shared/data").normalize();

  private SampleModels() {}

  /** {@return the folder of the project's examples} */
  public static Path examples() {
    return ROOT.resolve("examples");
  }

  /**
   * {@return the folder of a kind that every clone has}
   *
   * @param kind the folder, such as {@code models/onnx}
   */
  public static Path folder(String kind) {
    return OWN.resolve(kind);
  }

  /**
   * {@return the folders of a kind: in every clone and, if it exists, in the larger set}
   *
   * @param kind the folder, such as {@code models/onnx}
   */
  public static List<Path> folders(String kind) {
    return Stream.of(OWN, LARGER_SET)
        .map(set -> set.resolve(kind))
        .filter(Files::isDirectory)
        .toList();
  }

  /**
   * {@return a file that every clone has, or otherwise of the larger set; empty if this machine
   * lacks it}
   *
   * @param name the name with its folder, such as {@code models/onnx/scan_1.onnx}
   */
  public static Optional<Path> find(String name) {
    return Stream.of(OWN, LARGER_SET)
        .map(set -> set.resolve(name))
        .filter(Files::exists)
        .findFirst();
  }

  /**
   * {@return the models in a folder, sorted by name}
   *
   * @param folder any folder
   * @param extension the end of the file names, such as {@code .onnx}
   */
  public static List<Path> in(Path folder, String extension) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * {@return the models in all folders of some kinds, sorted by name, each name once}
   *
   * @param extension the end of the file names, such as {@code .onnx}
   * @param kinds the folders, such as {@code models/onnx}
   */
  public static Collection<Path> all(String extension, String... kinds) {
    return Arrays.stream(kinds)
        .flatMap(kind -> folders(kind).stream())
        .flatMap(folder -> in(folder, extension).stream())
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString(),
                Function.identity(),
                (own, _) -> own,
                TreeMap::new))
        .values();
  }
}
