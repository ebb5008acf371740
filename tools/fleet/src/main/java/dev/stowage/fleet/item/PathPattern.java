package dev.stowage.fleet.item;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern of paths: {@code *} and {@code ?} are characters of a name, {@code **} is any number of
 * folders, {@code [a-z]} and <code>{a,b}</code> are alternatives.
 *
 * <p>Hidden names match only if their part of the pattern begins with a dot.
 */
final class PathPattern {

  private static final Pattern SPECIAL = Pattern.compile("[*?\\[{]");

  private final InputFiles files;
  private final List<String> parts;
  private final NavigableSet<String> matches = new TreeSet<>();

  private PathPattern(String pattern, InputFiles files) {
    this.files = files;
    parts = Arrays.asList(pattern.split("/"));
  }

  static boolean isPattern(String text) {
    return SPECIAL.matcher(text).find();
  }

  /**
   * {@return the files and folders that match, sorted}
   *
   * @param pattern the pattern
   * @param files the files
   * @throws ItemException if the pattern is not valid, or if a folder cannot be read
   */
  static NavigableSet<String> matches(String pattern, InputFiles files) throws ItemException {
    PathPattern matching = new PathPattern(pattern, files);
    try {
      if (PathText.isRemote(pattern)) {
        // The parts of s3://bucket/models are "s3:", "", "bucket", "models".
        if (matching.parts.size() < 4) {
          throw new ItemException(pattern + ": a pattern begins after the first name of the path");
        }
        matching.match(String.join("/", matching.parts.subList(0, 3)) + "/", 3);
      } else {
        boolean isAbsolute = pattern.startsWith("/");
        matching.match(isAbsolute ? "/" : "", isAbsolute ? 1 : 0);
      }
    } catch (PatternSyntaxException e) {
      throw new ItemException(
          pattern + ": is no pattern of paths: " + e.getDescription() + "; quote names with a \\");
    } catch (IOException e) {
      throw new ItemException(pattern + ": cannot be read: " + e.getMessage());
    }
    return matching.matches;
  }

  private void match(String folder, int index) throws IOException {
    String part = parts.get(index);
    boolean isLast = index == parts.size() - 1;
    if (!isPattern(part)) {
      String path = PathText.resolve(folder, part);
      if (isLast && files.exists(path)) {
        matches.add(path);
      } else if (!isLast && files.isFolder(path)) {
        match(path, index + 1);
      }
      return;
    }
    boolean isAnyDepth = part.equals("**");
    if (isAnyDepth && !isLast) {
      match(folder, index + 1);
    }
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + part);
    for (InputFiles.Entry entry : files.list(folder.isEmpty() ? "." : folder)) {
      boolean isVisible = !entry.name().startsWith(".") || part.startsWith(".");
      if (!isVisible || !matcher.matches(Path.of(entry.name()))) {
        continue;
      }
      String path = PathText.resolve(folder, entry.name());
      if (isLast) {
        matches.add(path);
      } else if (entry.isFolder()) {
        match(path, isAnyDepth ? index : index + 1);
      }
    }
  }
}
