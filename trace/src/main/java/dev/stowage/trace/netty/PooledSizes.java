package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The size classes of the pooled allocator: four between two powers of two. */
final class PooledSizes {

  private static final int QUANTUM = 16;
  private static final int CLASSES_OF_GROUP = 4;

  private final int pageBytes;
  private final int chunkBytes;
  private final int[] sizes;

  /** The size classes that are whole pages. */
  private final int[] runSizes;

  private final int smallCount;

  PooledSizes(int pageBytes, int chunkBytes) {
    this.pageBytes = pageBytes;
    this.chunkBytes = chunkBytes;
    List<Integer> all = new ArrayList<>();
    for (int size = QUANTUM; size <= CLASSES_OF_GROUP * QUANTUM; size += QUANTUM) {
      all.add(size);
    }
    for (int group = CLASSES_OF_GROUP * QUANTUM; group < chunkBytes; group *= 2) {
      for (int i = 1; i <= CLASSES_OF_GROUP; i++) {
        all.add(group + i * (group / CLASSES_OF_GROUP));
      }
    }
    sizes = all.stream().mapToInt(Integer::intValue).filter(size -> size <= chunkBytes).toArray();
    runSizes = Arrays.stream(sizes).filter(size -> size % pageBytes == 0).toArray();
    smallCount = (int) Arrays.stream(sizes).filter(size -> size < 4L * pageBytes).count();
  }

  int pageBytes() {
    return pageBytes;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  /** {@return the number of size classes whose buffers share runs of pages} */
  int smallCount() {
    return smallCount;
  }

  /** {@return the number of size classes that are whole pages} */
  int runClassCount() {
    return runSizes.length;
  }

  int classCount() {
    return sizes.length;
  }

  /** {@return the size class of a buffer of at most {@link #chunkBytes()}} */
  int classOf(int bytes) {
    return firstAtLeast(sizes, bytes);
  }

  int bytes(int sizeClass) {
    return sizes[sizeClass];
  }

  /** {@return the smallest class of runs that all have at least so many pages} */
  int runClassFor(int pages) {
    return firstAtLeast(runSizes, pages * pageBytes);
  }

  /** {@return the class of a free run of so many pages} */
  int runClassOf(int pages) {
    int found = firstAtLeast(runSizes, pages * pageBytes);
    return runSizes[found] > pages * pageBytes ? found - 1 : found;
  }

  private static int firstAtLeast(int[] sizes, int bytes) {
    int found = Arrays.binarySearch(sizes, bytes);
    return found >= 0 ? found : -found - 1;
  }

  /** {@return the bytes of the run that small buffers of a class share} */
  int sharedRunBytes(int sizeClass) {
    int bytes = sizes[sizeClass];
    int most = pageBytes / QUANTUM;
    int run = pageBytes;
    while (run / bytes < most && run % bytes != 0) {
      run += pageBytes;
    }
    while (run / bytes > most) {
      run -= pageBytes;
    }
    return run;
  }
}
