package dev.stowage.cli.report;

import dev.stowage.pages.text.Printable;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Titles of columns for files: for each, the shortest end of its path that no other file has. */
final class ColumnTitles {

  private static final int LONGEST = 16;

  private final Map<String, String> titles;

  /**
   * Creates titles.
   *
   * @param paths the files as on the command line; a file that occurs twice has one title
   */
  ColumnTitles(Collection<String> paths) {
    Set<String> files = new LinkedHashSet<>(paths);
    Map<String, String> distinct = new HashMap<>();
    Set<String> open = new LinkedHashSet<>(files);
    for (int level = 0; !open.isEmpty(); level++) {
      int parts = level;
      Map<String, Long> counts = counts(files, path -> suffix(path, parts));
      open.removeIf(path -> {
        String title = suffix(path, parts);
        boolean isDistinct = counts.getOrDefault(title, 0L) == 1 || title.equals(path);
        if (isDistinct) {
          distinct.put(path, Printable.of(title));
        }
        return isDistinct;
      });
    }
    Map<String, Long> counts = counts(files, path -> shortened(distinct.getOrDefault(path, path)));
    titles = new HashMap<>();
    distinct.forEach((path, title) -> {
      String shortened = shortened(title);
      titles.put(path, counts.getOrDefault(shortened, 0L) == 1 ? shortened : title);
    });
  }

  /** {@return the title of a file} */
  String of(String path) {
    return Objects.requireNonNull(titles.get(path));
  }

  private static Map<String, Long> counts(
      Collection<String> paths, Function<String, String> title) {
    return paths.stream().collect(Collectors.groupingBy(title, Collectors.counting()));
  }

  /**
   * {@return the end of a path}
   *
   * @param parts the number of names; 0 for the last name without its extension
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
    return String.valueOf(file.getFileName()).replaceFirst("(?<=.)\\.[^.]+$", "");
  }

  private static String shortened(String title) {
    return title.length() <= LONGEST ? title : title.substring(0, LONGEST - 1) + "…";
  }
}
