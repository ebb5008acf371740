package dev.stowage.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Locale;

/** The library of the driver. */
@FunctionalInterface
interface CudaLibrary {

  /** The library of the driver that is installed on this machine. */
  CudaLibrary INSTALLED = named("libcuda.so.1");

  /**
   * {@return the functions of the library, which stays loaded}
   *
   * @throws NoCudaException if there is no such library
   * @throws IllegalCallerException if the module has no native access
   */
  SymbolLookup load() throws NoCudaException;

  /**
   * {@return a library by its name}
   *
   * @param name the file, or the name for the dynamic linker
   */
  @SuppressWarnings("restricted") // the native library of this module
  static CudaLibrary named(String name) {
    return () -> {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        throw new NoCudaException(
            String.format(
                Locale.ROOT,
                "there is no CUDA driver: %s cannot be loaded; install NVIDIA's driver, or give the container access to the GPU",
                name));
      }
    };
  }
}
