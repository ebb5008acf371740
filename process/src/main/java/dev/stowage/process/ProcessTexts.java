package dev.stowage.process;

import java.util.Map;

/** The texts of the kernel and of the virtual machine on a process, by their names. */
record ProcessTexts(Map<String, String> texts) {

  /** {@code /proc/PID/smaps}. */
  static final String SMAPS = "smaps";

  /** The diagnostic command that lists all mappings. */
  static final String MAP = "System.map";

  /** The diagnostic command with the addresses of the code cache. */
  static final String CODE = "Compiler.codecache";

  /** The diagnostic command with the addresses of the Java heap, and its bytes in use. */
  static final String HEAP = "GC.heap_info";

  /** The diagnostic command with the arenas of the C library. */
  static final String NATIVE_HEAP = "System.native_heap_info";

  /** The diagnostic command of Native Memory Tracking. */
  static final String TRACKING = "VM.native_memory";

  ProcessTexts {
    texts = Map.copyOf(texts);
  }

  /** {@return a text; empty if it is not known} */
  String text(String name) {
    return texts.getOrDefault(name, "");
  }
}
