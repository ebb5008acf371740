package dev.stowage.cli.output;

import dev.stowage.pages.text.Text;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A file that is written completely or not at all. */
public final class WholeFile {

  /** The writer of the content. */
  public interface Content {
    void write(Writer out) throws IOException;
  }

  /** The number of links that Linux follows. */
  private static final int MAX_LINKS = 40;

  private final String path;

  /** Creates a file that is not written yet. */
  public WholeFile(String path) {
    this.path = path;
  }

  public String path() {
    return path;
  }

  /**
   * Starts to write a binary file.
   *
   * @return the part of the file that is written before it gets its name
   * @throws IOException if the file cannot be written there, or is a device or pipe
   */
  public Part begin() throws IOException {
    Path named = Path.of(path).toAbsolutePath();
    if (isDevice(named)) {
      throw new IOException("it is a pipe or a device, expected the name of a regular file");
    }
    return new Part(named);
  }

  /** A file that gets its name when it is complete, and is deleted otherwise. */
  public final class Part implements Closeable {

    private final Path target;
    private final Path part;

    private Part(Path named) throws IOException {
      target = followed(named);
      Path folder = target.getParent();
      if (folder == null || Files.isDirectory(target)) {
        throw new IOException("it is a folder, expected the name of a file");
      }
      Path shown = target.equals(named) ? Path.of(path).getParent() : folder;
      if (Files.notExists(folder)) {
        throw new IOException("the folder " + shown + " does not exist; create it first");
      }
      if (Files.exists(folder) && !Files.isDirectory(folder)) {
        throw new IOException(shown + " is not a folder");
      }
      // Other users may read a plan, but not a temporary file of the JDK.
      part = folder.resolve(Text.of(".stowage-%s.part", UUID.randomUUID()));
      part.toFile().deleteOnExit();
    }

    /** {@return the path of the part; the file does not exist yet} */
    public Path path() {
      return part;
    }

    /** Gives the file its name, and replaces an older file. */
    public void complete() throws IOException {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void write(Content content) throws IOException {
      try (Writer out = Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW)) {
        content.write(out);
      }
      complete();
    }

    /** Deletes the part unless it is complete. */
    @Override
    public void close() throws IOException {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Writes the file.
   *
   * <p>If the path is a link, its target is replaced or created, and the link stays. Devices and
   * pipes are written to. If the process exits early, the unfinished file is deleted.
   */
  public void write(Content content) throws IOException {
    Path named = Path.of(path).toAbsolutePath();
    if (isDevice(named)) {
      try (Writer out = Files.newBufferedWriter(named, StandardOpenOption.WRITE)) {
        content.write(out);
      }
      return;
    }
    try (Part part = new Part(named)) {
      part.write(content);
    }
  }

  /**
   * Writes the file while no other command of the user does so.
   *
   * <p>The content can therefore depend on the old content of the file. The operating system
   * releases the lock when the process ends; threads of one process need a monitor.
   *
   * @throws IOException if the file cannot be written, or is a device or pipe; an older file then
   *     stays as it was
   */
  public void update(Content content) throws IOException {
    Path lock =
        Path.of(
            System.getProperty("java.io.tmpdir", "/tmp"),
            Text.of("stowage-%s.lock", System.getProperty("user.name", "user")));
    synchronized (WholeFile.class) {
      try (Part part = begin();
          FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
        channel.lock();
        part.write(content);
      }
    }
  }

  /** {@return the target of links; it need not exist} */
  private static Path followed(Path path) throws IOException {
    Path target = path;
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MAX_LINKS) {
        throw new IOException("it is a loop of symbolic links");
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** {@return true if a file must not be replaced, such as {@code /dev/null}} */
  private static boolean isDevice(Path path) {
    return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
  }
}
