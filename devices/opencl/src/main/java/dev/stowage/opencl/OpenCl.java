package dev.stowage.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The OpenCL library of this machine. */
record OpenCl(
    PlatformFunctions platforms,
    QueueFunctions queues,
    BufferFunctions buffers,
    ProgramFunctions programs) {

  /** {@return the names of the library on this system} */
  static List<String> names() {
    String system = System.getProperty("os.name", "");
    if (system.startsWith("Windows")) {
      return List.of("OpenCL.dll");
    }
    if (system.startsWith("Mac")) {
      return List.of("/System/Library/Frameworks/OpenCL.framework/OpenCL");
    }
    return List.of("libOpenCL.so.1", "libOpenCL.so");
  }

  /**
   * {@return the library, or empty if there is none}
   *
   * @param name the name
   * @throws IllegalCallerException if the module has no native access
   */
  @SuppressWarnings("restricted") // the native library of this module
  static Optional<OpenCl> load(String name) {
    try {
      Linkage linkage = new Linkage(SymbolLookup.libraryLookup(name, Arena.global()));
      return Optional.of(
          new OpenCl(
              new PlatformFunctions(linkage),
              new QueueFunctions(linkage),
              new BufferFunctions(linkage),
              new ProgramFunctions(linkage)));
    } catch (IllegalArgumentException | NoSuchElementException absentOrBeforeOpenCl12) {
      return Optional.empty();
    }
  }
}
