package dev.stowage.trace.explain;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The line of the user's code in a call stack: the innermost frame outside frameworks. */
public final class UserLine {

  /*
   * A frame is `function at file:line`, `function at class:line`, or only one of the two parts. The
   * frames of frameworks are
   *
   *   Python   files in site-packages, dist-packages, the standard library (lib/python3.12) or a
   *            folder torch, and files without a path of their own, such as <frozen runpy>;
   *   C++      functions of the namespaces at, c10, caffe2 and torch, and of the interpreter;
   *   Java     the packages of the JDK and of Stowage's allocators.
   *
   * If all frames belong to frameworks, the innermost frame is the line.
   */

  private static final Pattern FRAMEWORK_FILE =
      Pattern.compile(
          "(^|/)(site-packages|dist-packages|torch)/|(^|/)lib/python\\d[^/]*/|^<|^(…)?<frozen ");

  private static final Pattern FRAMEWORK_FUNCTION =
      Pattern.compile(
          "^(void )?(at|c10|caffe2|torch)::|^_?Py[A-Z_]|^_?_Py|^THP|^__libc_|^_start\\b|^clone\\b");

  private static final Pattern FRAMEWORK_CLASS =
      Pattern.compile(
          "^(java|javax|jdk|sun)\\.|^dev\\.stowage\\.(allocator|memory|cuda|opencl|onnxruntime)\\.");

  private static final String PLACE = " at ";

  private UserLine() {}

  /**
   * {@return the line of the user's code; empty if there is no frame}
   *
   * @param frames the frames of a stack, such as {@code forward at model.py:12}, the innermost
   *     first
   */
  public static Optional<String> of(List<String> frames) {
    return frames.stream()
        .filter(frame -> !isFramework(frame))
        .findFirst()
        .or(() -> frames.stream().findFirst());
  }

  /**
   * {@return true if a frame belongs to a framework, an interpreter, the JDK or Stowage}
   *
   * @param frame the text of a frame
   */
  public static boolean isFramework(String frame) {
    int at = frame.indexOf(PLACE);
    String function = at < 0 ? frame : frame.substring(0, at);
    String place = (at < 0 ? frame : frame.substring(at + PLACE.length())).replace('\\', '/');
    if (FRAMEWORK_FILE.matcher(place).find() || FRAMEWORK_CLASS.matcher(place).find()) {
      return true;
    }
    return !isPython(place) && FRAMEWORK_FUNCTION.matcher(function).find();
  }

  private static boolean isPython(String place) {
    int colon = place.lastIndexOf(':');
    return (colon < 0 ? place : place.substring(0, colon)).endsWith(".py");
  }
}
