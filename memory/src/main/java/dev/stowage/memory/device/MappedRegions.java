package dev.stowage.memory.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Regions of mapped pages, on Linux and macOS. */
final class MappedRegions implements RegionSource {

  /*
   *   address             address + bytes              address + reservedBytes
   *   | readable, writable |  reserved: an access ends the JVM     |
   *
   * Reserved pages are mapped without access rights, and take no memory. Committed pages are readable
   * and writable; the system provides a zeroed page at the first access.
   *
   * Reservations are made without MAP_NORESERVE. The system does not account pages without access
   * rights. Without the flag it can reject a commit that is much too large, instead of ending the
   * process later.
   *
   * A region reserves at most the addresses that the caller requests, and the memory and swap of the
   * machine. It also reserves at most an eighth of the remaining addresses, so that any number of
   * later regions get some. If the addresses of the process are limited, half of them remain for
   * other uses: without addresses, the JVM cannot start a thread.
   */

  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE = 2;
  private static final int MADV_HUGEPAGE = 14;

  /** The limit of all reservations: an eighth of the 2^47 addresses of a process. */
  private static final long MAX_RESERVED_BYTES = 1L << 44;

  /** A reservation takes at most one of this many parts of the remaining addresses. */
  private static final int LEFT_PER_RESERVED = 8;

  private static final Path HUGE_PAGE_BYTES =
      Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");

  /** With less room to grow, an allocator should add regions of doubled size instead. */
  private static final long MIN_GROWTH_BYTES = 64 << 20;

  private final Posix system;
  private final HostMemoryOptions options;
  private final AddressSpace addresses;
  private final long usableBytes;

  /** The limit of all reservations. */
  private final long maxReservedBytes;

  private final long pageBytes;
  private final long granularityBytes;
  private long reservedBytes;

  /** True if the system may have kept the contents of returned pages. */
  private boolean hasKeptPages;

  MappedRegions(Posix system, HostMemoryOptions options) {
    this(system, options, AddressSpace.ofProcess(), MachineMemory.usableBytes());
  }

  /**
   * @param usableBytes the memory and swap of the machine
   */
  MappedRegions(Posix system, HostMemoryOptions options, AddressSpace addresses, long usableBytes) {
    this.system = system;
    this.options = options;
    this.addresses = addresses;
    this.usableBytes = usableBytes;
    this.maxReservedBytes = Math.min(MAX_RESERVED_BYTES, addresses.leftBytes() / 2);
    this.pageBytes = Libc.pageBytes();
    this.granularityBytes =
        options.isHugePages() && system == Posix.LINUX ? hugePageBytes() : pageBytes;
  }

  /** The constants that differ between the systems. */
  enum Posix {
    LINUX(0x20, 4),
    /** MADV_DONTNEED keeps the pages; MADV_FREE releases them if other processes need memory. */
    MACOS(0x1000, 5);

    private final int mapAnonymous;
    private final int adviceToRelease;

    Posix(int mapAnonymous, int adviceToRelease) {
      this.mapAnonymous = mapAnonymous;
      this.adviceToRelease = adviceToRelease;
    }
  }

  private long hugePageBytes() {
    long usual = 2 << 20;
    try {
      return Math.max(pageBytes, Long.parseLong(Files.readString(HUGE_PAGE_BYTES).strip()));
    } catch (IOException | NumberFormatException unknown) {
      return usual;
    }
  }

  @Override
  public long granularityBytes() {
    return granularityBytes;
  }

  @Override
  public boolean canLengthen(long maxBytes) {
    long wanted = wantedBytes(maxBytes);
    return wanted > 0 && growthBytes(maxBytes) >= Math.min(wanted, MIN_GROWTH_BYTES);
  }

  private long wantedBytes(long maxBytes) {
    return Math.min(Math.min(maxBytes, options.reservedBytes()), usableBytes);
  }

  @Override
  public Optional<HostRegion> allocate(long bytes, long maxBytes) {
    if (bytes > Long.MAX_VALUE - 2 * granularityBytes) {
      return Optional.empty();
    }
    long committed = ceiling(bytes);
    long reserved = Math.max(committed, growthBytes(maxBytes));
    Optional<HostRegion> region = map(bytes, reserved);
    if (region.isEmpty() && reserved > committed) {
      region = map(bytes, committed); // if the system limits addresses
    }
    return region.filter(this::commitOrUnmap);
  }

  @Override
  public Optional<HostRegion> reserve(long bytes, long maxBytes) {
    long left = Math.min(maxReservedBytes - reservedBytes, addresses.leftBytes() / 2);
    return maxBytes > left
        ? Optional.empty()
        : map(bytes, ceiling(maxBytes)).filter(this::commitOrUnmap);
  }

  /** {@return the addresses to reserve for a region that should be able to grow to a size} */
  private long growthBytes(long maxBytes) {
    long wanted = wantedBytes(maxBytes);
    if (wanted <= 0) {
      return 0;
    }
    long left = Math.min(maxReservedBytes - reservedBytes, addresses.leftBytes() / 2);
    return Math.min(ceiling(wanted), Math.max(0, left) / LEFT_PER_RESERVED & -granularityBytes);
  }

  private Optional<HostRegion> map(long bytes, long reserved) {
    long slack = granularityBytes - pageBytes;
    Libc.Answer mapped = Libc.mmap(reserved + slack, PROT_NONE, MAP_PRIVATE | system.mapAnonymous);
    if (mapped.isOutOfMemory()) {
      return Optional.empty();
    }
    if (mapped.isFailure()) {
      throw mapped.exception(String.format(Locale.ROOT, "mmap of %d bytes", reserved + slack));
    }
    long base = mapped.value();
    long address = ceiling(base);
    unmap(base, address - base);
    unmap(address + reserved, slack - (address - base));
    reservedBytes += reserved;
    RegionProperties.add(address, reserved);
    if (granularityBytes > pageBytes) {
      Libc.madvise(address, reserved, MADV_HUGEPAGE); // which systems without huge pages reject
    }
    return Optional.of(new HostRegion(address, bytes, address, reserved));
  }

  private boolean commitOrUnmap(HostRegion region) {
    boolean committed = false;
    try {
      committed = protect(region.address(), ceiling(region.bytes()), PROT_READ_WRITE);
    } finally {
      if (!committed) {
        free(region);
      }
    }
    return committed;
  }

  @Override
  public Optional<HostRegion> resize(HostRegion region, long newBytes) {
    if (newBytes > region.reservedBytes()) {
      return Optional.empty();
    }
    long end = region.address() + ceiling(region.bytes());
    long newEnd = region.address() + ceiling(newBytes);
    boolean moved =
        newEnd >= end
            ? protect(end, newEnd - end, PROT_READ_WRITE)
            : protect(newEnd, end - newEnd, PROT_NONE);
    if (moved && newEnd < end) {
      // The system may ignore the advice, such as for locked pages.
      Libc.Answer advice = Libc.madvise(newEnd, end - newEnd, system.adviceToRelease);
      hasKeptPages |= advice.isFailure() || system == Posix.MACOS;
    }
    return moved ? Optional.of(region.withBytes(newBytes)) : Optional.empty();
  }

  @Override
  public boolean isZeroed() {
    return !hasKeptPages;
  }

  @Override
  public void free(HostRegion region) {
    RegionProperties.remove(region.base());
    unmap(region.base(), region.reservedBytes());
    reservedBytes -= region.reservedBytes();
  }

  /** Sets the access rights of pages and {@return true if the system has the memory} */
  private static boolean protect(long address, long bytes, int protection) {
    if (bytes == 0) {
      return true;
    }
    Libc.Answer answer = Libc.mprotect(address, bytes, protection);
    if (answer.isFailure() && !answer.isOutOfMemory()) {
      throw answer.exception(
          String.format(Locale.ROOT, "mprotect of %d bytes at 0x%x", bytes, address));
    }
    return !answer.isFailure();
  }

  private static void unmap(long address, long bytes) {
    if (bytes > 0) {
      Libc.Answer answer = Libc.munmap(address, bytes);
      if (answer.isFailure()) {
        throw answer.exception(
            String.format(Locale.ROOT, "munmap of %d bytes at 0x%x", bytes, address));
      }
    }
  }

  private long ceiling(long bytes) {
    return (bytes + granularityBytes - 1) & -granularityBytes;
  }
}
