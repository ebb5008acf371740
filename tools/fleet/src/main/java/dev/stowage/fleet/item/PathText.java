package dev.stowage.fleet.item;

import java.util.regex.Pattern;

/** Paths as text, of this machine or with a scheme such as {@code s3://}. */
final class PathText {

  private static final Pattern SCHEME =
      Pattern.compile("\\A[a-zA-Z][a-zA-Z0-9+.-]+://.*", Pattern.DOTALL);

  private PathText() {}

  static boolean isRemote(String path) {
    return SCHEME.matcher(path).matches();
  }

  static boolean isAbsolute(String path) {
    return path.startsWith("/") || isRemote(path);
  }

  /** {@return the path without steps that lead nowhere, such as a {@code ./} at its start} */
  static String plain(String path) {
    if (isRemote(path)) {
      return path;
    }
    String plain = path.replaceAll("/+", "/");
    while (plain.contains("/./")) {
      plain = plain.replace("/./", "/");
    }
    plain = plain.startsWith("./") ? plain.substring(2) : plain;
    plain = plain.endsWith("/.") ? plain.substring(0, plain.length() - 1) : plain;
    boolean endsWithSlash = plain.endsWith("/") && plain.length() > 1;
    plain = endsWithSlash ? plain.substring(0, plain.length() - 1) : plain;
    return plain.isEmpty() && !path.isEmpty() ? "." : plain;
  }

  /** {@return the path of a name in a folder} */
  static String resolve(String folder, String name) {
    if (folder.isEmpty() || folder.equals(".") || isAbsolute(name)) {
      return name;
    }
    return folder.endsWith("/") ? folder + name : folder + "/" + name;
  }

  /** {@return the folder of a path; empty if it has none} */
  static String folder(String path) {
    int end = path.lastIndexOf('/');
    return end < 0 ? "" : end == 0 ? "/" : path.substring(0, end);
  }
}
