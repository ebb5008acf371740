package dev.stowage.fleet.item;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of this machine. Links to files are followed, and links to folders are not. */
public final class LocalFiles implements InputFiles {

  @Override
  public boolean exists(String path) {
    try {
      return !path.isEmpty() && Files.exists(Path.of(path), LinkOption.NOFOLLOW_LINKS);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  @Override
  public boolean isFolder(String path) {
    try {
      return !path.isEmpty() && Files.isDirectory(Path.of(path));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  @Override
  public List<Entry> list(String folder) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(Path.of(folder))) {
      for (Path path : paths) {
        boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        if (isFolder || !Files.isDirectory(path)) {
          entries.add(new Entry(String.valueOf(path.getFileName()), isFolder));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  @Override
  public long bytes(String path) {
    try {
      Path file = Path.of(path);
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException | InvalidPathException e) {
      return 0; // the command reports the error
    }
  }

  @Override
  public InputStream open(String path) throws IOException {
    return Files.newInputStream(Path.of(path));
  }
}
