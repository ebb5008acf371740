package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import dev.stowage.testing.GuideExamples;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/adapters.md for Netty, and their pool. */
class AdaptersGuideTest {

  private static final String GUIDE = "docs/adapters.md";
  private static final String SOURCE =
      "adapters/netty/src/test/java/dev/stowage/netty/AdaptersGuideTest.java";

  @Test
  void examples_asWritten_allocateFromThePool() {
    HostMemory host = HostMemory.open();
    MemoryPool pool =
        MemoryPool.open(
            "buffers",
            host,
            BfcOptions.expandable().withLimit(1L << 30),
            PoolOptions.standard().withoutZeroing());
    PoolByteBufAllocator allocator = PoolByteBufAllocator.of(pool);
    new ServerBootstrap()
        .option(ChannelOption.ALLOCATOR, allocator)
        .childOption(ChannelOption.ALLOCATOR, allocator);
    ByteBuf response = AllocationTag.of("responses").call(() -> allocator.directBuffer(1024));
    assertThat(pool.report().holders().getFirst().tag()).isEqualTo("responses");
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(1024);
    response.release();
    pool.close();
    host.close();
  }

  @Test
  void examples_ofTheGuide_areThoseOfThisTest() throws IOException {
    List<String> examples =
        new ArrayList<>(
            GuideExamples.of(GUIDE, "# Buffers of Netty, Arrow and the JDK from a pool"));
    examples.addAll(GuideExamples.of(GUIDE, "## Netty"));
    assertThat(examples).hasSize(3);
    assertThat(GuideExamples.source(SOURCE)).contains(examples);
  }
}
