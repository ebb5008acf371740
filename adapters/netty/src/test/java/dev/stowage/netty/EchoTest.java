package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server and a client whose sockets read into and write from memory of a pool. */
class EchoTest {

  private static final int MESSAGE_INTS = 20_000;

  @Test
  void echo_ofAMessage_returnsItAndAllMemory() throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool =
            MemoryPool.open(
                "network",
                host,
                BfcOptions.expandable(),
                PoolOptions.standard().withoutZeroing().withDebugging())) {
      PoolByteBufAllocator allocator = PoolByteBufAllocator.of(pool);
      EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
      CompletableFuture<Long> sum = new CompletableFuture<>();
      try {
        Channel server = server(loops, allocator);
        Channel client = client(loops, allocator, server, new Sum(sum));
        ByteBuf message = allocator.directBuffer();
        for (int i = 0; i < MESSAGE_INTS; i++) {
          message.writeInt(i);
        }
        client.writeAndFlush(message).sync();
        assertThat(sum.get(1, TimeUnit.MINUTES)).isEqualTo(MESSAGE_INTS * (MESSAGE_INTS - 1L) / 2);
        client.close().sync();
        server.close().sync();
      } finally {
        loops.shutdownGracefully(0, 1, TimeUnit.MINUTES).sync();
      }
      assertThat(pool.statistics().peakBytesInUse()).isGreaterThan(4 * MESSAGE_INTS);
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void read_withoutRoomInThePool_closesTheConnection() throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool full =
            MemoryPool.open("full", host, BfcOptions.expandable().withLimit(1 << 16));
        MemoryBlock _ = full.allocate(1 << 16)) {
      EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
      try {
        Channel server = server(loops, PoolByteBufAllocator.of(full));
        Channel client =
            new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.localAddress())
                .sync()
                .channel();
        client.writeAndFlush(Unpooled.copyLong(42)).sync();
        assertThat(client.closeFuture().await(1, TimeUnit.MINUTES)).isTrue();
        server.close().sync();
      } finally {
        loops.shutdownGracefully(0, 1, TimeUnit.MINUTES).sync();
      }
      assertThat(full.failedRequests()).isPositive();
    }
  }

  private static Channel server(EventLoopGroup loops, PoolByteBufAllocator allocator)
      throws InterruptedException {
    return new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .childOption(ChannelOption.ALLOCATOR, allocator)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Echo());
              }
            })
        .bind(InetAddress.getLoopbackAddress(), 0)
        .sync()
        .channel();
  }

  private static Channel client(
      EventLoopGroup loops, PoolByteBufAllocator allocator, Channel server, ChannelHandler handler)
      throws InterruptedException {
    return new Bootstrap()
        .group(loops)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.ALLOCATOR, allocator)
        .handler(handler)
        .connect(server.localAddress())
        .sync()
        .channel();
  }

  /** Writes each buffer back. */
  private static final class Echo extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var _ = context.writeAndFlush(message);
    }
  }

  /** The sum of the numbers of a message. */
  private static final class Sum extends SimpleChannelInboundHandler<ByteBuf> {

    private final CompletableFuture<Long> result;
    private int count;
    private long number;
    private long bytes;
    private long sum;

    Sum(CompletableFuture<Long> result) {
      this.result = result;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf buffer) {
      while (buffer.isReadable()) {
        number = number << 8 | buffer.readUnsignedByte();
        if (++bytes == 4) {
          sum += number;
          number = 0;
          bytes = 0;
          count++;
        }
      }
      if (count == MESSAGE_INTS) {
        result.complete(sum);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      result.completeExceptionally(cause);
    }
  }
}
