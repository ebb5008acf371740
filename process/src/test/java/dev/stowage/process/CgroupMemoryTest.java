package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of both versions. */
class CgroupMemoryTest {

  @TempDir private Path root;

  private void write(String folder, String name, String text) throws IOException {
    Files.createDirectories(root.resolve(folder));
    Files.writeString(root.resolve(folder).resolve(name), text);
  }

  private Optional<CgroupMemory> read(String... lines) throws IOException {
    return CgroupMemory.of(new ProcessDump(CgroupFiles.read(List.of(lines), root)));
  }

  @Test
  void of_aGroupOfVersion2_hasItsLimitAndParts() throws IOException {
    write("kubepods/pod1", "memory.max", "1073741824\n");
    write("kubepods/pod1", "memory.current", "900000000\n");
    write("kubepods/pod1", "memory.stat", "anon 800000000\nfile 90000000\nslab 7000000\nsock 3\n");

    CgroupMemory group = read("0::/kubepods/pod1").orElseThrow();
    assertThat(group.limitBytes()).hasValue(1073741824);
    assertThat(group.usedBytes()).isEqualTo(900000000);
    assertThat(group.parts())
        .containsExactly(
            new OwnedMemory.Detail("anonymous memory", 800000000),
            new OwnedMemory.Detail("page cache", 90000000),
            new OwnedMemory.Detail("slab of the kernel", 7000000),
            new OwnedMemory.Detail("sockets", 3));
  }

  /** A limit of a group above counts, too. */
  @Test
  void of_aGroupBelowOneWithALimit_hasTheSmallestLimit() throws IOException {
    write("kubepods", "memory.max", "500\n");
    write("kubepods/pod1", "memory.max", "max\n");
    write("kubepods/pod1", "memory.current", "9\n");

    CgroupMemory group = read("0::/kubepods/pod1").orElseThrow();
    assertThat(group.limitBytes()).hasValue(500);
    assertThat(group.parts()).isEmpty();
  }

  @Test
  void of_aGroupOfVersion1_hasTheLimitOfTheGroupsAbove() throws IOException {
    write("memory/a", "memory.limit_in_bytes", "9223372036854771712\n");
    write("memory/a", "memory.usage_in_bytes", "77\n");
    write("memory/a", "memory.stat", "hierarchical_memory_limit 900\n");

    assertThat(read("4:memory:/a").orElseThrow().limitBytes()).hasValue(900);
  }

  /** The path is that of another namespace. */
  @Test
  void of_aPathOutside_readsTheRootOfItsHierarchy() throws IOException {
    write("", "memory.current", "5\n");

    assertThat(read("0::/../..").orElseThrow().usedBytes()).isEqualTo(5);
  }

  @Test
  void of_aContainer_readsTheRootOfItsHierarchy() throws IOException {
    write("", "memory.max", "max\n");
    write("", "memory.current", "5\n");
    write("", "memory.stat", "anon 4\n");

    CgroupMemory group = read("0::/docker/abc").orElseThrow();
    assertThat(group.limitBytes()).isEmpty();
    assertThat(group.usedBytes()).isEqualTo(5);
  }

  @Test
  void of_aGroupOfVersion1_hasNoLimitIfItIsHuge() throws IOException {
    write("memory/a", "memory.limit_in_bytes", "9223372036854771712\n");
    write("memory/a", "memory.usage_in_bytes", "77\n");
    write("memory/a", "memory.stat", "cache 1\nrss 6\ntotal_cache 11\ntotal_rss 66\n");

    CgroupMemory group = read("12:cpu:/a", "4:memory:/a", "0::/a").orElseThrow();
    assertThat(group.limitBytes()).isEmpty();
    assertThat(group.parts().getFirst()).isEqualTo(new OwnedMemory.Detail("anonymous memory", 66));
    assertThat(read("4:memory:/none")).isEmpty();
  }
}
