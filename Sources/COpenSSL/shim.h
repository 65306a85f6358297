// What Transport uses of OpenSSL 3, and wrappers for what Swift can't call: macros.
#ifndef HUDDLE_COPENSSL_SHIM_H
#define HUDDLE_COPENSSL_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// TLS 1.3 and nothing else.
static inline int huddle_ssl_only_tls13(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1;
}

static inline int huddle_ssl_set_groups(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}

static inline int huddle_ssl_set_signature_algorithms(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_sigalgs_list(context, list);
}

static inline void huddle_ssl_release_idle_buffers(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline void huddle_ssl_read_ahead(SSL *ssl, size_t count) {
    SSL_set_read_ahead(ssl, 1);
    SSL_set_default_read_buffer_len(ssl, count);
}

static inline void huddle_ssl_limit_certificates(SSL_CTX *context, long bytes) {
    SSL_CTX_set_max_cert_list(context, bytes);
}

static inline void huddle_ssl_keep_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void huddle_ssl_set_owner(SSL *ssl, void *owner) {
    SSL_set_app_data(ssl, owner);
}

static inline void *huddle_ssl_owner(const SSL *ssl) {
    return SSL_get_app_data(ssl);
}

static inline int huddle_x509_count(const STACK_OF(X509) *certificates) {
    return sk_X509_num(certificates);
}

static inline long huddle_bio_memory(BIO *bio, char **start) {
    return BIO_get_mem_data(bio, start);
}

// What a read of ours came to, as OpenSSL asks for it.
static inline void huddle_bio_clear_retry(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

static inline void huddle_bio_set_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

// Whether an error came as an alert from the other side, and which.
static inline int huddle_alert_received(unsigned long error) {
    int reason = ERR_GET_REASON(error);
    return ERR_GET_LIB(error) == ERR_LIB_SSL && reason >= SSL_AD_REASON_OFFSET ? reason - SSL_AD_REASON_OFFSET : -1;
}

static inline int huddle_is_unexpected_end(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

static inline int huddle_is_missing_certificate(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE;
}

// For tests alone: peers that are none.
static inline void huddle_test_only_tls12(SSL_CTX *context) {
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
}

static inline void huddle_test_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    SSL_CTX_add_extra_chain_cert(context, certificate);
}

static inline int huddle_set_authentication_tag(EVP_CIPHER_CTX *context, int count, const void *tag) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, count, (void *)tag);
}

static inline int huddle_get_authentication_tag(EVP_CIPHER_CTX *context, int count, void *tag) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, count, tag);
}

#endif
