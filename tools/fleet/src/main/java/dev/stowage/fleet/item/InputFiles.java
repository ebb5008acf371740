package dev.stowage.fleet.item;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The files that a sweep reads, in one file system. */
public interface InputFiles {

  /**
   * {@return true if there is a file or folder}
   *
   * @param path a path
   */
  boolean exists(String path);

  /**
   * {@return true if a path is that of a folder}
   *
   * @param path a path, which need not exist
   */
  boolean isFolder(String path);

  /**
   * {@return the names in a folder}
   *
   * @param folder the path of a folder
   * @throws IOException if the folder cannot be read
   */
  List<Entry> list(String folder) throws IOException;

  /**
   * {@return the number of bytes of a file; 0 if it is unknown}
   *
   * @param path a path, which need not exist
   */
  long bytes(String path);

  /**
   * {@return the content of a file}
   *
   * @param path the path of a file
   * @throws IOException if the file cannot be read
   */
  InputStream open(String path) throws IOException;

  /**
   * A name in a folder.
   *
   * @param name the name
   * @param isFolder true for a folder, false for a file; a link to a folder is neither of them, and
   *     is not in a list
   */
  record Entry(String name, boolean isFolder) {}
}
