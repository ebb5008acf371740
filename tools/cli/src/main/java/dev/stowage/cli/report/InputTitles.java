package dev.stowage.cli.report;

import dev.stowage.pages.text.Printable;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Titles of rows for files: for each, the shortest end of its path that no other file has. */
final class InputTitles {

  /** What a file of XLA has around the number and the name of its module. */
  private static final Pattern AROUND_MODULE =
      Pattern.compile(
          "^module_|(?:\\.(?:sm_\\d+\\.\\d+_)?\\w+_after_optimizations)?-buffer-assignment\\.txt(?:\\.gz)?$");

  private final Map<String, String> titles = new HashMap<>();

  /**
   * Creates titles.
   *
   * @param paths the files as on the command line; a file that occurs twice has one title
   */
  InputTitles(Collection<String> paths) {
    Set<String> files = Set.copyOf(paths);
    for (int level = 0; titles.size() < files.size(); level++) {
      int parts = level;
      files.stream()
          .collect(Collectors.groupingBy(path -> suffix(path, parts)))
          .forEach((title, same) ->
              same.stream()
                  .filter(path -> same.size() == 1 || path.equals(title))
                  .forEach(path -> titles.putIfAbsent(path, Printable.of(title))));
    }
  }

  /** {@return the title of a file} */
  String of(String path) {
    return Objects.requireNonNull(titles.get(path));
  }

  /**
   * {@return the end of a path}
   *
   * @param parts the number of names; 0 for the last name without its extension, or for the module
   *     of XLA, such as {@code 0001.jit_f}
   */
  private static String suffix(String path, int parts) {
    Path file = Path.of(path);
    int count = file.getNameCount();
    if (parts > count) {
      return path; // with its root, and with parts that Path drops
    }
    if (parts > 0) {
      return file.subpath(count - parts, count).toString();
    }
    String name = String.valueOf(file.getFileName());
    return name.contains("-buffer-assignment.txt")
        ? AROUND_MODULE.matcher(name).replaceAll("")
        : name.replaceFirst("(?<=.)\\.[^.]+$", "");
  }
}
