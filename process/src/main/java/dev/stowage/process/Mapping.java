package dev.stowage.process;

/**
 * A mapping of a process.
 *
 * @param start its first address
 * @param end the address after its last byte
 * @param permissions as the kernel prints them, such as {@code rw-p}
 * @param path the file or a name in brackets; empty if the mapping is anonymous
 * @param residentBytes its resident bytes
 */
record Mapping(long start, long end, String permissions, String path, long residentBytes) {

  long bytes() {
    return end - start;
  }

  boolean isAnonymous() {
    return path.isEmpty();
  }

  boolean isInaccessible() {
    return permissions.startsWith("---");
  }

  boolean isWritable() {
    return permissions.charAt(1) == 'w';
  }

  boolean isExecutable() {
    return permissions.charAt(2) == 'x';
  }
}
