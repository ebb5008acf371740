package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A file of the command line that exists. */
public final class ExistingFile {

  private ExistingFile() {}

  /**
   * {@return the path of an existing file}
   *
   * @throws MalformedFileException if the file does not exist or is a folder
   * @throws IOException if the operating system reports an error, for example a loop of symbolic
   *     links
   */
  public static Path of(String path) throws IOException {
    try {
      Path file = Path.of(path);
      if (Files.readAttributes(file, BasicFileAttributes.class).isDirectory()) {
        throw new MalformedFileException(path, "is a folder, expected a file");
      }
      return file;
    } catch (InvalidPathException e) {
      throw new MalformedFileException(
          path, "is not a valid file name, expected the path of a file");
    } catch (NoSuchFileException e) {
      Path link = Path.of(path);
      throw new MalformedFileException(
          path,
          Files.isSymbolicLink(link)
              ? Text.of("is a link to %s, which does not exist", Files.readSymbolicLink(link))
              : "does not exist");
    }
  }

  /**
   * {@return the path of an existing file that can be read more than once}
   *
   * @throws MalformedFileException if the file does not exist, or is a folder, a pipe or a device
   * @throws IOException if the operating system reports an error
   */
  public static Path regular(String path) throws IOException {
    Path file = of(path);
    if (!Files.isRegularFile(file)) {
      throw new MalformedFileException(path, "is a pipe or a device, expected a regular file");
    }
    return file;
  }
}
