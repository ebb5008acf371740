package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.InputFiles;
import dev.stowage.fleet.item.LocalFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The files of this machine and, by paths with a scheme such as {@code s3://}, those of the file
 * systems that Flink is configured for.
 */
public final class FlinkFiles implements InputFiles {

  private static final Pattern SCHEME =
      Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+://.*", Pattern.DOTALL);

  private final LocalFiles local = new LocalFiles();

  static boolean hasScheme(String path) {
    return SCHEME.matcher(path).matches();
  }

  @Override
  public boolean exists(String path) {
    if (!hasScheme(path)) {
      return local.exists(path);
    }
    try {
      return new Path(path).getFileSystem().exists(new Path(path));
    } catch (IOException | IllegalArgumentException e) {
      return false; // the item reports the error
    }
  }

  @Override
  public boolean isFolder(String path) {
    if (!hasScheme(path)) {
      return local.isFolder(path);
    }
    try {
      return status(path).isDir();
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public List<Entry> list(String folder) throws IOException {
    if (!hasScheme(folder)) {
      return local.list(folder);
    }
    FileStatus[] content = new Path(folder).getFileSystem().listStatus(new Path(folder));
    return Arrays.stream(content)
        .map(status -> new Entry(status.getPath().getName(), status.isDir()))
        .toList();
  }

  @Override
  public long bytes(String path) {
    if (!hasScheme(path)) {
      return local.bytes(path);
    }
    try {
      return status(path).getLen();
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
  }

  @Override
  public InputStream open(String path) throws IOException {
    return hasScheme(path) ? new Path(path).getFileSystem().open(new Path(path)) : local.open(path);
  }

  private static FileStatus status(String path) throws IOException {
    return new Path(path).getFileSystem().getFileStatus(new Path(path));
  }
}
