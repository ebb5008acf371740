/** Direct buffers of Netty from a memory pool. */
package dev.stowage.netty;
