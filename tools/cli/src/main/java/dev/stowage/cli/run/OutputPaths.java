package dev.stowage.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The files that the options of a command write: none is an input, and none is written twice. */
public final class OutputPaths {

  private final CommandSpec spec;
  private final List<String> inputs;
  private final List<String> paths = new ArrayList<>();

  /**
   * Creates an empty list.
   *
   * @param inputs the inputs, which no option replaces
   */
  public OutputPaths(CommandSpec spec, List<String> inputs) {
    this.spec = spec;
    this.inputs = List.copyOf(inputs);
  }

  /**
   * Adds the file of an option.
   *
   * @param extensions the allowed ends of the name, such as {@code .html}; none to allow any
   * @throws ParameterException if the name ends in none of them, or the file is an input or in the
   *     list
   */
  public void add(String option, String path, List<String> extensions) {
    if (path.isBlank()
        || path.equals("-")
        || (!extensions.isEmpty() && extensions.stream().noneMatch(end -> endsIn(path, end)))) {
      throw Usage.error(
          spec,
          "%s is '%s', expected %s",
          option,
          path,
          extensions.isEmpty()
              ? "the name of a file"
              : "a name that ends in "
                  + String.join(", ", extensions).replaceFirst(", ([^,]*)$", " or $1"));
    }
    if (inputs.stream().anyMatch(input -> isSame(path, input))) {
      throw Usage.error(spec, "%s is '%s', which is the input; use another name", option, path);
    }
    if (paths.stream().anyMatch(other -> isSame(path, other))) {
      throw Usage.error(spec, "%s is '%s', which is written twice; use another name", option, path);
    }
    paths.add(path);
  }

  /** {@return true if a path names a page} */
  public static boolean isPage(String path) {
    return endsIn(path, ".html");
  }

  /** {@return true if a path ends in an extension with its dot, in any case} */
  static boolean endsIn(String path, String extension) {
    return path.toLowerCase(Locale.ROOT).endsWith(extension);
  }

  /** {@return true if two paths are one file; it need not exist} */
  private static boolean isSame(String path, String other) {
    Path first = Path.of(path).toAbsolutePath().normalize();
    Path second = Path.of(other).toAbsolutePath().normalize();
    try {
      return first.equals(second) || (Files.exists(first) && Files.isSameFile(first, second));
    } catch (IOException e) {
      return false; // reading or writing the file reports the error
    }
  }
}
