package dev.stowage.cli.gate;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The keys of inputs in a baseline file: their paths relative to its folder, so that a baseline is
 * valid in every checkout.
 */
public final class BaselineKeys {

  /** The key and the name of the standard input. */
  private static final String STANDARD_INPUT = "-";

  private final Path folder;

  /**
   * Creates the keys of a file.
   *
   * @param baseline the path of the baseline file, which need not exist
   */
  public BaselineKeys(String baseline) {
    folder = parent(Path.of(baseline));
  }

  /** {@return the key of an input} */
  public String of(String input) {
    if (input.equals(STANDARD_INPUT) || input.isEmpty()) {
      return input;
    }
    Path file = Path.of(input);
    return folder.relativize(parent(file)).resolve(file.getFileName()).normalize().toString();
  }

  /** {@return true if the file of a key exists, or the key stands for the standard input} */
  public boolean exists(String key) {
    try {
      return key.equals(STANDARD_INPUT) || Files.exists(folder.resolve(key));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static Path parent(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }
}
