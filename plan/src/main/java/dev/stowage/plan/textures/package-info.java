/** Textures of GPUs: usage records with extents instead of bytes, and their shared textures. */
package dev.stowage.plan.textures;
