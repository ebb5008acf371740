package dev.stowage.onnxbudget.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The detection of the class of a processor.
 *
 * <p>Linux lists the features of the processor in a file. Under an emulator of programs, this file
 * describes the host. The Java virtual machine asks the processor itself, as ONNX Runtime does, but
 * knows fewer features. The class is therefore that of the file, limited by the vectors that the
 * virtual machine uses.
 */
public final class CpuDetection {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private static final int VECTORS_OF_AVX2 = 2;
  private static final int VECTORS_OF_AVX512 = 3;

  private static final Set<String> AVX2 = Set.of("avx2", "fma");
  private static final Set<String> AVX512 = Set.of("avx512f", "avx512bw", "avx512dq", "avx512vl");
  private static final Set<String> AMX = Set.of("amx_tile", "amx_int8");

  /** The model of Intel's first processors with AVX-512, and their last step. */
  private static final String SKYLAKE = "85";

  private static final int LAST_STEP_OF_SKYLAKE = 4;

  private CpuDetection() {}

  /** {@return the class of the processor that runs this program} */
  public static CpuClass thisMachine() {
    return of(System.getProperty("os.arch"), cpuInfo(), vectors());
  }

  /**
   * {@return the class of a processor}
   *
   * @param architecture the architecture of the Java virtual machine
   * @param cpuInfo the file in which Linux describes processors; empty on other systems
   * @param vectors the generation of AVX that the virtual machine uses by default: 0 for none;
   *     empty if it is unknown
   */
  static CpuClass of(String architecture, String cpuInfo, OptionalInt vectors) {
    if (architecture.equals("aarch64")) {
      return CpuClass.ARM64;
    }
    Optional<String> listed = field(cpuInfo, "flags");
    int limit = vectors.orElse(VECTORS_OF_AVX512);
    if (listed.isEmpty()) {
      return ofVectors(vectors.orElse(0));
    }
    Set<String> flags =
        Arrays.stream(listed.get().split("\\s+")).collect(Collectors.toUnmodifiableSet());
    CpuClass listedClass = ofFlags(flags);
    if (limit == VECTORS_OF_AVX2 && listedClass == CpuClass.AVX512 && isSkylake(cpuInfo)) {
      return CpuClass.AVX512; // whose vectors the virtual machine avoids
    }
    CpuClass most = limit >= VECTORS_OF_AVX512 ? CpuClass.AMX : ofVectors(limit);
    return listedClass.compareTo(most) < 0 ? listedClass : most;
  }

  private static CpuClass ofVectors(int vectors) {
    return vectors >= VECTORS_OF_AVX512
        ? CpuClass.AVX512
        : vectors == VECTORS_OF_AVX2 ? CpuClass.AVX2 : CpuClass.BASELINE;
  }

  private static CpuClass ofFlags(Set<String> flags) {
    if (!flags.containsAll(AVX2)) {
      return CpuClass.BASELINE;
    }
    if (!flags.containsAll(AVX512)) {
      return CpuClass.AVX2;
    }
    if (flags.containsAll(AMX)) {
      return CpuClass.AMX;
    }
    return flags.contains("avx512_vnni") ? CpuClass.AVX512_VNNI : CpuClass.AVX512;
  }

  private static boolean isSkylake(String cpuInfo) {
    return field(cpuInfo, "vendor_id").equals(Optional.of("GenuineIntel"))
        && field(cpuInfo, "model").equals(Optional.of(SKYLAKE))
        && field(cpuInfo, "stepping")
            .filter(step -> Integer.parseInt(step) <= LAST_STEP_OF_SKYLAKE)
            .isPresent();
  }

  /** {@return the value of a field of the first processor} */
  private static Optional<String> field(String cpuInfo, String name) {
    return cpuInfo
        .lines()
        .filter(
            line -> line.contains(":") && line.substring(0, line.indexOf(':')).strip().equals(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst();
  }

  private static String cpuInfo() {
    if (!Files.isReadable(CPU_INFO)) {
      return "";
    }
    try {
      return Files.readString(CPU_INFO, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OptionalInt vectors() {
    try {
      VMOption option =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("UseAVX");
      return option.getOrigin() == VMOption.Origin.DEFAULT
              || option.getOrigin() == VMOption.Origin.ERGONOMIC
          ? OptionalInt.of(Integer.parseInt(option.getValue()))
          : OptionalInt.empty(); // the user chose the value
    } catch (IllegalArgumentException e) {
      return OptionalInt.empty(); // the option exists on x86-64 only
    }
  }
}
